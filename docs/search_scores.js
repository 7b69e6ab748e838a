// Scores of the site's search: a page comes before the places in it.
var Scorer = {
  score: ([, , anchor, , score]) => score - (anchor ? 8 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
