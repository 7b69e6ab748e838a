// The page of two programs side by side.
"use strict";

byId("title").textContent = data.title;
byId("counts").textContent = data.summary;
drawSides(byId("sides"), data);
listen({});
document.documentElement.dataset.ready = String(Math.round(performance.now()));
