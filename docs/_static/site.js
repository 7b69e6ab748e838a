// A button on each block of code that copies it, of a session only the commands. Output of notebooks has none.
"use strict";

function copied(block) {
  const text = block.innerText.replace(/\n$/, "");
  const commands = text.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  return commands.length ? commands.join("\n") : text.replace(/^(>>>|\.\.\.) ?/gm, "");
}

document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("div.highlight > pre")) {
    if (block.closest(".cell_output")) continue;
    const button = document.createElement("button");
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => navigator.clipboard.writeText(copied(block)).then(() => {
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    }));
    block.parentElement.append(button);
  }
});

// A page from a file may not fetch others: the search takes its excerpts from a script.
if (location.protocol === "file:") {
  const root = document.documentElement.dataset.content_root;
  const loaded = new Promise((done) => {
    const script = document.createElement("script");
    script.src = `${root}_static/excerpts.js`;
    script.addEventListener("load", done);
    document.head.append(script);
  });
  window.fetch = async (address) => {
    await loaded;
    const main = document.createElement("div");
    main.setAttribute("role", "main");
    main.textContent = window.EXCERPTS[String(address).slice(root.length)] || "";
    return new Response(main.outerHTML);
  };
}
