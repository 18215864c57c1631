// Says numbers, times, chances and sentences in the visitor's language. Messages are in text/; used by all views.

/** @typedef {ReturnType<typeof createWords>} Words */
/** @typedef {Record<string, string | Record<string, string>>} Messages */

const zone = "America/Los_Angeles";
const weekMilliseconds = 6 * 86_400_000;

/**
 * @param {Messages} messages of the language
 * @param {Messages} fallback English, for what a language lacks
 * @param {string} locale such as en-US
 */
export function createWords(messages, fallback, locale) {
    const plural = new Intl.PluralRules(locale);
    /** @type {Map<string, Intl.DateTimeFormat>} */
    const formats = new Map();
    /** @param {Intl.DateTimeFormatOptions} options @param {number | string} moment */
    function date(options, moment) {
        const name = JSON.stringify(options);
        let format = formats.get(name);
        if (!format) {
            format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
            formats.set(name, format);
        }
        const value = typeof moment === "number" ? moment : Date.parse(moment);
        // 6:05 PM stays on one line.
        return Number.isFinite(value) ? format.format(value).replace(/\s(?=[ap]\.?\s?m\.?$)/i, "\u00a0") : "–";
    }

    /**
     * A sentence with its values; `n` chooses among plural forms.
     * @param {string} key @param {Record<string, string | number>} [values] @returns {string}
     */
    function t(key, values = {}) {
        let message = messages[key] ?? fallback[key];
        if (message === undefined) return key;
        if (typeof message !== "string") {
            message = message[plural.select(Number(values.n))] ?? message.other ?? key;
        }
        const said = (/** @type {string | number} */ value) => typeof value === "number" ? number(value) : value;
        return message.replace(/\{(\w+)\}/g, (whole, name) => name in values ? said(values[name]) : whole);
    }

    /** @type {Map<number, Intl.NumberFormat>} */
    const numbers = new Map();
    /** @param {number} value @param {number} [decimals] */
    function number(value, decimals = 0) {
        let format = numbers.get(decimals);
        if (!format) numbers.set(decimals, format = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }));
        const text = format.format(value);
        // What rounds to nothing has no sign.
        return /[1-9]/.test(text) ? text : text.replace(/^[-−]/, "");
    }

    return {
        locale,
        t,
        number,
        /**
         * Whether there is such a message.
         * @param {string} key
         */
        has: (key) => key in messages || key in fallback,
        /**
         * 18:05 or 6:05 PM, by locale.
         * @param {number | string} moment
         */
        time: (moment) => date({ hour: "numeric", minute: "2-digit" }, moment),
        /**
         * The same with seconds.
         * @param {number | string} moment
         */
        timeWithSeconds: (moment) => date({ hour: "numeric", minute: "2-digit", second: "2-digit" }, moment),
        /**
         * 6 PM or 18, by locale; for axes.
         * @param {number | string} moment
         */
        hour: (moment) => date({ hour: "numeric" }, moment),
        /**
         * Fri, Feb 20, 2026.
         * @param {number | string} moment
         */
        day: (moment) => date({ weekday: "short", day: "numeric", month: "short", year: "numeric" }, moment),
        /**
         * Feb 20.
         * @param {number | string} moment
         */
        shortDay: (moment) => date({ day: "numeric", month: "short" }, moment),
        /**
         * Friday.
         * @param {number | string} moment @param {"long" | "short" | "narrow"} [width]
         */
        weekday: (moment, width = "long") => date({ weekday: width }, moment),
        /**
         * A time, with its day where that is another than today's.
         * @param {number | string} moment @param {number} now
         */
        timeOrDay(moment, now) {
            if (this.day(moment) === this.day(now)) return this.time(moment);
            const value = typeof moment === "number" ? moment : Date.parse(moment);
            // A weekday names a day of this week only.
            const isNear = Math.abs(now - value) < weekMilliseconds;
            const isThisYear = date({ year: "numeric" }, moment) === date({ year: "numeric" }, now);
            const day = isNear ? date({ weekday: "short" }, moment) : isThisYear ? this.shortDay(moment)
                : `${date({ day: "numeric", month: "short", year: "numeric" }, moment)},`;
            return `${day} ${this.time(moment)}`;
        },
        /**
         * 45 s, 3 min, 1 h 5 min.
         * @param {number} seconds
         */
        duration(seconds) {
            const rounded = Math.max(0, Math.round(seconds));
            if (rounded < 60) return t("unit.seconds", { n: rounded });
            const minutes = Math.round(rounded / 60);
            if (minutes < 60) return t("unit.minutes", { n: minutes });
            const hours = Math.floor(minutes / 60);
            if (hours >= 48) return t("unit.days", { n: Math.round(hours / 24) });
            return minutes % 60 === 0 ? t("unit.hours", { n: hours })
                : t("unit.hours_minutes", { hours, minutes: minutes % 60 });
        },
        /**
         * 31 in 100; never 0 and never 100.
         * @param {number} probability
         */
        chance(probability) {
            const cases = Math.round(probability * 100);
            if (probability < 0.01) return t("chance.under_one");
            if (probability > 0.99) return t("chance.over_99");
            return t("chance.in_100", { n: Math.min(99, cases) });
        },
        /**
         * 18 of 20.
         * @param {number} cases
         */
        ofTwenty: (cases) => t("chance.of_20", { n: cases }),
        /**
         * A height in the visitor's unit.
         * @param {number} feet
         */
        height: (feet) => usesFeet(locale) ? t("unit.feet", { n: number(feet, 1) })
            : t("unit.metres", { n: number(feet * 0.3048, 1) }),
        usesFeet: usesFeet(locale),
        /**
         * A distance in the visitor's unit.
         * @param {number} metres
         */
        distance: (metres) => usesFeet(locale) ? t("unit.miles", { miles: number(metres / 1609.344, 1) })
            : t("unit.kilometres", { kilometres: number(metres / 1000, 1) }),
        /**
         * A list: a, b and c.
         * @param {string[]} parts
         */
        list: (parts) => new Intl.ListFormat(locale, { type: "conjunction" }).format(parts),
    };
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
