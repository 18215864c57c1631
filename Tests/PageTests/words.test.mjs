// Numbers, times and chances as text, in both languages; and that both languages say the same things.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addMessages, chooseLanguage, languageOf, loadWords, Words } from "../../Sources/BridgecastService/Resources/page/core/words.js";
import { english, firstTexts, spanish, texts, transitTexts } from "./support/language.mjs";


test("a chance is in hundred, never none and never certain", () => {
    assert.equal(english.chance(0.31), "31 in 100");
    assert.equal(english.chance(0), "under 1 in 100");
    assert.equal(english.chance(0.0099), "under 1 in 100");
    assert.equal(english.chance(0.01), "1 in 100");
    assert.equal(english.chance(0.99), "99 in 100");
    assert.equal(english.chance(0.995), "over 99 in 100");
    assert.equal(english.chance(1), "over 99 in 100");
    for (const words of [english, spanish]) {
        for (const probability of [0, 0.3, 1]) assert.ok(!words.chance(probability).includes("%"));
    }
});

test("durations and counts have their units and plurals", () => {
    assert.equal(english.duration(45), "45 s");
    assert.equal(english.duration(200), "3 min");
    assert.equal(english.duration(3900), "1 h 5 min");
    assert.equal(english.duration(7200), "2 h");
    assert.equal(english.duration(-5), "0 s");
    assert.deepEqual([-0, -0.004, -0.4, 1234.56].map((value) => english.number(value)), ["0", "0", "0", "1,235"]);
    assert.equal(spanish.number(-1.25, 1), "-1,3");
    assert.equal(english.height(44.5), "44.5 ft");
    assert.equal(spanish.height(44), "13,4 m");
    assert.equal(english.duration(86_400 * 3), "3 days");
    assert.equal(spanish.duration(86_400 * 3), "3 días");
    assert.equal(english.t("replay.openings", { n: 1 }), "1 opening");
    assert.equal(english.t("replay.openings", { n: 2 }), "2 openings");
    assert.equal(spanish.t("replay.openings", { n: 1 }), "1 apertura");
});

test("times are Seattle's, in the clock of the locale", () => {
    assert.equal(english.time("2026-02-21T02:05:00Z").replace(/\s/g, " "), "6:05 PM");
    assert.equal(spanish.time("2026-02-21T02:05:00Z"), "18:05");
    assert.equal(english.time("nonsense"), "–");
    const noon = Date.parse("2026-02-20T12:00:00-08:00");
    const said = (days) => english.timeOrDay(noon - days * 86_400_000, noon).replace(/\s/g, " ");
    assert.deepEqual([0, 1, 9, 365].map(said),
        ["12:00 PM", "Thu 12:00 PM", "Feb 11 12:00 PM", "Feb 20, 2025, 12:00 PM"]);
});

test("a sentence that ends with a time has one stop", () => {
    const mexican = new Words(texts.es, texts.en, "es-MX");
    const time = mexican.time("2026-02-21T02:05:00Z");
    assert.match(time, /p\.\s?m\.$/);
    const ended = mexican.t("card.highest", { most: "9 de cada 100", time });
    assert.ok(ended.endsWith("m.") && !ended.includes(".."), ended);
    assert.equal(english.t("card.highest", { most: "9 in 100", time: "6:05 PM" }), "Highest 9 in 100 at 6:05 PM.");
});

test("bridges within the names of ways have the form of the language", () => {
    const way = "NW Market St, Ballard Bridge by Elliott Ave, I-5 Ship Canal Bridge, Bridge Way N";
    assert.equal(english.roads(way), way);
    assert.equal(spanish.roads(way), "NW Market St, Puente Ballard por Elliott Ave, Puente I-5 Ship Canal, Bridge Way N");
});

test("what a language lacks is in English, and an unknown message is its key", () => {
    const poor = new Words({}, texts.en, "es");
    assert.equal(poor.t("replay.back"), "Back to live");
    assert.equal(english.t("no.such.key"), "no.such.key");
    const hostile = "{today} $& <b>";
    assert.ok(english.t("replay.refused.no_day", { value: hostile, today: "x" }).includes(hostile));
});

test("the visitor's language is chosen by preference, then by what the browser says", () => {
    const known = ["en", "es"];
    assert.deepEqual(chooseLanguage(null, ["de-DE", "es-MX", "en"], known), { language: "es", locale: "es-MX" });
    assert.deepEqual(chooseLanguage("en", ["es-MX"], known), { language: "en", locale: "en" });
    assert.deepEqual(chooseLanguage(null, ["de"], known), { language: "en", locale: "en-US" });
});

test("a language in the address is that of the visit, where there is one; the remembered one stays as it is", () => {
    const preferences = Object.freeze({ language: "en" });
    const of = (lang) => languageOf({ address: { view: "line", values: lang === undefined ? {} : { lang } }, preferences });
    assert.equal(of("es"), "es");
    assert.equal(of("ES-mx"), "ES-mx");
    assert.deepEqual(chooseLanguage(of("ES-mx"), ["en-US"], ["en", "es"]), { language: "es", locale: "es" });
    for (const other of [undefined, "de", "", "toString", "<b>", "e"]) assert.equal(of(other), "en");
});

test("both languages have the same messages with the same values", () => {
    assert.deepEqual(Object.keys(texts.es).sort(), Object.keys(texts.en).sort());
    const places = (message) => [...new Set(Object.values(typeof message === "string" ? { other: message } : message)
        .flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
    for (const [key, message] of Object.entries(texts.en)) {
        assert.deepEqual(places(texts.es[key]), places(message), key);
        for (const other of [message, texts.es[key]]) {
            if (typeof other !== "string") assert.equal(typeof other.other, "string", key);
        }
    }
});

test("no message has a chance as a share or as one in so many", () => {
    for (const language of ["en", "es"]) {
        for (const [key, message] of Object.entries(texts[language])) {
            assert.ok(!/\b(1|one) in \{/i.test(JSON.stringify(message)), `${language} ${key}`);
        }
    }
});

test("a first visit has no texts of buses; they are added to the words of every language that is used", async () => {
    for (const language of ["en", "es"]) {
        const both = Object.keys(firstTexts[language]).filter((key) => key in transitTexts[language]);
        assert.deepEqual(both, [], language);
    }
    const asked = [];
    const { fetch, navigator } = globalThis;
    globalThis.navigator = { languages: ["en-US"] };
    globalThis.fetch = async (path) => {
        const [language, part] = /^text\/(\w+)-?(\w*)\.json$/.exec(path).slice(1);
        asked.push(path);
        const from = part === "transit" ? transitTexts : firstTexts;
        return { ok: language !== "es" || part !== "transit" || asked.length > 4, json: async () => ({ ...from[language] }) };
    };
    try {
        const english = await loadWords("en");
        assert.deepEqual(asked, ["text/en.json"]);
        assert.equal(english.has("board.find"), false);
        const spanish = await loadWords("es");
        // Of these texts the Spanish ones fail once.
        await addMessages("transit");
        assert.equal(english.t("board.find"), transitTexts.en["board.find"]);
        assert.equal(spanish.t("board.find"), transitTexts.en["board.find"]);
        await addMessages("transit");
        assert.equal(spanish.t("board.find"), transitTexts.es["board.find"]);
        assert.deepEqual(asked.filter((path) => path === "text/en-transit.json"), ["text/en-transit.json"]);
    } finally {
        Object.assign(globalThis, { fetch, navigator });
    }
});
