// Numbers, times, chances and sentences in the visitor's language. The messages are in text/, those of lines, boards and
// runs in files of their own, which come with the first of these; a further language is its files and its name in
// `languages`.

/** @typedef {Record<string, string | Record<string, string>>} Messages */

const seattleZone = "America/Los_Angeles";
const weekMilliseconds = 6 * 86_400_000;

/** @type {Map<string, Intl.DateTimeFormat>} */
const dateFormats = new Map();

/**
 * A format of dates, made once; by Seattle's clock if the options name no other zone.
 * @param {string} locale such as en-US @param {Intl.DateTimeFormatOptions} options
 */
export function dateFormat(locale, options) {
    const name = locale + JSON.stringify(options);
    let format = dateFormats.get(name);
    if (!format) {
        format = new Intl.DateTimeFormat(locale, { timeZone: seattleZone, ...options });
        dateFormats.set(name, format);
    }
    return format;
}

export class Words {
    #messages;
    #fallback;
    #plural;
    /** @type {Map<number, Intl.NumberFormat>} */
    #numberFormats = new Map();

    /**
     * @param {Messages} messages of the language
     * @param {Messages} fallback English, for what a language lacks
     * @param {string} locale such as en-US
     */
    constructor(messages, fallback, locale) {
        this.#messages = messages;
        this.#fallback = fallback;
        this.#plural = new Intl.PluralRules(locale);
        this.locale = locale;
        /** Such as en. */
        this.language = locale.toLowerCase().split("-")[0];
        this.usesFeet = usesFeet(locale);
    }

    /**
     * A sentence with its values; `n` chooses among plural forms.
     * @param {string} key @param {Record<string, string | number>} [values] @returns {string}
     */
    t(key, values = {}) {
        let message = this.#messages[key] ?? this.#fallback[key];
        if (message === undefined) return key;
        if (typeof message !== "string") {
            message = message[this.#plural.select(Number(values.n))] ?? message.other ?? key;
        }
        return message.replace(/\{(\w+)\}(\.?)/g, (whole, name, stop) => {
            if (!(name in values)) return whole;
            const value = values[name];
            const text = typeof value === "number" ? this.number(value) : value;
            // A sentence that ends with "6:05 p.m." has its stop.
            return text.endsWith(".") ? text : text + stop;
        });
    }

    /**
     * Whether there is such a message.
     * @param {string} key
     */
    has(key) {
        return key in this.#messages || key in this.#fallback;
    }

    /** @param {number} value @param {number} [decimals] */
    number(value, decimals = 0) {
        let format = this.#numberFormats.get(decimals);
        if (!format) {
            format = new Intl.NumberFormat(this.locale, { maximumFractionDigits: decimals });
            this.#numberFormats.set(decimals, format);
        }
        const text = format.format(value);
        // What rounds to nothing has no sign.
        return /[1-9]/.test(text) ? text : text.replace(/^[-−]/, "");
    }

    /**
     * 18:05 or 6:05 PM, by locale.
     * @param {number | string} time
     */
    time(time) {
        return this.#date({ hour: "numeric", minute: "2-digit" }, time);
    }

    /**
     * The same with seconds.
     * @param {number | string} time
     */
    timeWithSeconds(time) {
        return this.#date({ hour: "numeric", minute: "2-digit", second: "2-digit" }, time);
    }

    /**
     * 6 PM or 18, by locale; for axes.
     * @param {number | string} time
     */
    hour(time) {
        return this.#date({ hour: "numeric" }, time);
    }

    /**
     * Fri, Feb 20, 2026.
     * @param {number | string} time
     */
    day(time) {
        return this.#date({ weekday: "short", day: "numeric", month: "short", year: "numeric" }, time);
    }

    /**
     * Feb 20.
     * @param {number | string} time
     */
    shortDay(time) {
        return this.#date({ day: "numeric", month: "short" }, time);
    }

    /**
     * Friday.
     * @param {number | string} time @param {"long" | "short" | "narrow"} [width]
     */
    weekday(time, width = "long") {
        return this.#date({ weekday: width }, time);
    }

    /**
     * A time, with its day where that is another than today's.
     * @param {number | string} time @param {number} now
     */
    timeOrDay(time, now) {
        if (this.day(time) === this.day(now)) return this.time(time);
        return `${this.#otherDay(time, now)} ${this.time(time)}`;
    }

    /** @param {number | string} time @param {number} now */
    #otherDay(time, now) {
        const value = typeof time === "number" ? time : Date.parse(time);
        // A weekday names a day of this week only.
        if (Math.abs(now - value) < weekMilliseconds) return this.weekday(time, "short");
        const isThisYear = this.#date({ year: "numeric" }, time) === this.#date({ year: "numeric" }, now);
        if (isThisYear) return this.shortDay(time);
        return `${this.#date({ day: "numeric", month: "short", year: "numeric" }, time)},`;
    }

    /** @param {Intl.DateTimeFormatOptions} options @param {number | string} time */
    #date(options, time) {
        const value = typeof time === "number" ? time : Date.parse(time);
        if (!Number.isFinite(value)) return "–";
        // 6:05 PM stays on one line.
        return dateFormat(this.locale, options).format(value).replace(/\s(?=[ap]\.?\s?m\.?$)/i, "\u00a0");
    }

    /**
     * 45 s, 3 min, 1 h 5 min.
     * @param {number} seconds
     */
    duration(seconds) {
        const rounded = Math.max(0, Math.round(seconds));
        if (rounded < 60) return this.t("unit.seconds", { n: rounded });
        const minutes = Math.round(rounded / 60);
        if (minutes < 60) return this.t("unit.minutes", { n: minutes });
        const hours = Math.floor(minutes / 60);
        if (hours >= 48) return this.t("unit.days", { n: Math.round(hours / 24) });
        return minutes % 60 === 0 ? this.t("unit.hours", { n: hours })
            : this.t("unit.hours_minutes", { hours, minutes: minutes % 60 });
    }

    /**
     * 31 in 100; never 0 and never 100.
     * @param {number} probability
     */
    chance(probability) {
        const cases = Math.round(probability * 100);
        if (probability < 0.01) return this.t("chance.under_one");
        if (probability > 0.99) return this.t("chance.over_99");
        return this.t("chance.in_100", { n: Math.min(99, cases) });
    }

    /**
     * A height in the visitor's unit.
     * @param {number} feet
     */
    height(feet) {
        return this.usesFeet ? this.t("unit.feet", { n: this.number(feet, 1) })
            : this.t("unit.metres", { n: this.number(feet * 0.3048, 1) });
    }

    /**
     * A distance in the visitor's unit.
     * @param {number} metres
     */
    distance(metres) {
        return this.usesFeet ? this.t("unit.miles", { miles: this.number(metres / 1609.344, 1) })
            : this.t("unit.kilometres", { kilometres: this.number(metres / 1000, 1) });
    }

    /**
     * Names of roads as the service says them, with bridges in the form of the language: Puente Ballard.
     * @param {string} names such as Ballard Bridge, 15th Ave W
     */
    roads(names) {
        return names.replace(/([^,]+?) Bridge\b( by )?/g, (_, bridge, by) => {
            const space = /^\s*/.exec(bridge)?.[0] ?? "";
            const said = this.t("bridge.heading", { bridge: bridge.trimStart() });
            return space + said + (by ? ` ${this.t("roads.by")} ` : "");
        });
    }

    /**
     * A list: a, b and c.
     * @param {string[]} parts
     */
    list(parts) {
        return new Intl.ListFormat(this.locale, { type: "conjunction" }).format(parts);
    }
}

/**
 * Boats are measured in feet where the language is the United States'.
 * @param {string} locale
 */
function usesFeet(locale) {
    return /^en(-US)?$/.test(locale) || locale.endsWith("-US");
}

/**
 * The language of the page and its locale, by preference, then by what the browser says.
 * @param {string | null} preferred @param {readonly string[]} spoken such as navigator.languages
 * @param {readonly string[]} known languages that there are messages in
 * @returns {{ language: string, locale: string }}
 */
export function chooseLanguage(preferred, spoken, known) {
    for (const tag of [...(preferred ? [preferred] : []), ...spoken]) {
        const language = tag.toLowerCase().split("-")[0];
        if (!known.includes(language)) continue;
        const own = spoken.find((other) => other.toLowerCase().split("-")[0] === language);
        return { language, locale: own ?? language };
    }
    return { language: "en", locale: "en-US" };
}

/** Languages by their own names. */
export const languages = { en: "English", es: "Español" };

/**
 * The language that is asked for: by the address for this visit, else by the visitor's preference; null for the browser's.
 * @param {Pick<import("./types").State, "address" | "preferences">} state
 */
export function languageOf({ address, preferences }) {
    const { lang = "" } = address.values;
    return Object.hasOwn(languages, lang.toLowerCase().split("-")[0]) ? lang : preferences.language;
}

/** @type {Map<string, Promise<Messages>>} */
const files = new Map();

/** @param {string} name */
function file(name) {
    let promise = files.get(name);
    if (!promise) {
        promise = fetch(`text/${name}.json`).then((response) => {
            if (!response.ok) throw new Error(`text/${name}.json: ${response.status}`);
            return response.json();
        });
        files.set(name, promise);
        // Asked again the next time.
        promise.catch(() => files.delete(name));
    }
    return promise;
}

/** @type {Set<string>} */
const loaded = new Set();
/** Further parts of the messages that a view has asked for: a language that is chosen later has them too. */
const parts = /** @type {Set<string>} */ (new Set());

/**
 * One object for each language, so that words which are there already have what is added.
 * @param {string} language
 */
async function messages(language) {
    const own = await file(language);
    loaded.add(language);
    for (const part of parts) Object.assign(own, await file(`${language}-${part}`));
    return own;
}

/** @param {string | null} preferred */
export async function loadWords(preferred) {
    const { language, locale } = chooseLanguage(preferred, navigator.languages, Object.keys(languages));
    const english = await messages("en");
    const own = language === "en" ? english : await messages(language).catch(() => english);
    return new Words(own, english, own === english && language !== "en" ? "en-US" : locale);
}

/**
 * Adds a part of the messages to all words that there are. What a language lacks of it is in English.
 * @param {string} part such as transit
 */
export async function addMessages(part) {
    parts.add(part);
    await Promise.all([...loaded].map((language) =>
        messages(language).catch((error) => { if (language === "en") throw error; })));
}
