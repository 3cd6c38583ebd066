// What `referee why --format json` says, as a tree: nodes with `label`, `detail`, `place` and `children`.

const node = (label, detail, children = [], place = undefined) => ({
  label,
  detail: detail ?? "",
  children: children.filter(Boolean),
  place,
});

const place = ({ file, at }) => ({ file, line: at });

const valueNode = ({ name, value, since, since_words: words }) =>
  node(`${name} is ${value ?? "none"}`, since ? `since line ${since}${words ? ` (${words})` : ""}` : "");

function factNode(fact) {
  const children = [
    ...fact.causes.map(causeNode),
    ...fact.outdone.map((one) => node(`${one.name} is ${one.value}`, "outdone")),
    ...fact.passed.map(unfiredNode),
  ];
  return node(`${fact.name} is ${fact.value ?? "none"}`, "", children, fact.causes.map(place)[0]);
}

/** A row that fired, with what made it. */
function causeNode(cause) {
  const label = cause.says ?? (cause.written.join(" ") || cause.gives || cause.row || "");
  return node(label, cause.row ?? "", [...cause.values.map(valueNode), ...cause.facts.map(factNode)], place(cause));
}

const FAILED = {
  empty: () => "there was nothing to go through",
  condition: () => "its condition does not hold",
  value: () => "it has no value",
  earlier: ({ row }) => `\`${row}\` came first`,
  field: ({ field }) => `\`${field}\` is another`,
  guard: ({ event }) => `\`${event}\` could not happen`,
};

/** A row that did not fire. */
function unfiredNode(row) {
  const children = [...row.values.map(valueNode), ...row.facts.map(factNode)];
  return node(row.written || row.row || "", `not: ${FAILED[row.failed.kind]?.(row.failed) ?? ""}`, children, place(row));
}

function decisionNode(decision) {
  return decision && node("chosen by", "", [causeNode(decision.chosen), ...decision.passed.map(unfiredNode)], place(decision.chosen));
}

const EFFECTS = {
  said: ({ text, cause }) => node(`says “${text}”`, cause.row ?? "", [causeNode(cause)], place(cause)),
  impossible: ({ text, cause }) => node(`impossible: ${text}`, cause.row ?? "", [causeNode(cause)], place(cause)),
  restarted: ({ fact }) => ({ ...factNode(fact), label: "the game begins again", detail: "" }),
  over: ({ fact }) => ({ ...factNode(fact), label: "the game is over", detail: "" }),
  refused: ({ fact }) => ({ ...factNode(fact), detail: "refused" }),
  changed: ({ name, old, new: now, gains, loses, collection, causes }) => {
    const changes = [...gains.map((one) => `+ ${one}`), ...loses.map((one) => `- ${one}`)];
    const label = collection ? `${name}: ${changes.join(", ")}` : `${name}: ${old ?? "none"} → ${now ?? "none"}`;
    return node(label, "", causes.map(causeNode), causes.map(place)[0]);
  },
};

function eventNode(event) {
  const fields = event.fields.map(({ value }) => value).join(", ");
  const beside = event.beside.map(({ field, value, words }) => node(`possible: ${words}`, value === null ? "" : `${field} ${value}`));
  const instead = event.may_come.map((line) => node(`possible instead: ${line}`));
  return node(event.words ?? `${event.event} ${fields}`.trim(), event.words ? `${event.event} ${fields}`.trim() : event.by.kind, [
    decisionNode(event.by.decision),
    ...event.sentences.map((sentence) => node(sentence)),
    ...event.effects.map((effect) => EFFECTS[effect.kind]?.(effect)),
    ...beside,
    ...instead,
  ]);
}

/** The roots of the tree. */
exports.tree = ({ read, events, stopped }) => [
  ...read.map((text) => node(text, "read")),
  ...events.map(eventNode),
  ...(stopped
    ? [node(stopped.message, stopped.words, [...stopped.notes, ...stopped.helps, ...stopped.meant].map((text) => node(text)))]
    : []),
];
