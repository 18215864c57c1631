// A person's journal while the page shows it: its state, changes one after another, and how to take the last back.
import { NoAnswer, trouble, troubleOf } from "../data/api.js";
import { readReminders } from "../data/alert-answers.js";
import { journalOf, readFavourites, readPerson } from "../data/me-answers.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {import("../data/me-answers.js").Favourite} Favourite */
/** @typedef {import("../data/me-answers.js").Journey} Journey */
/** @typedef {Pick<import("../data/me.js").MeAPI, "get" | "getText" | "post" | "postDocument" | "patch" | "remove" | "stream">} API */
/** @typedef {{ text: string, undo: (() => Promise<void>) | null }} Done what was done, as text */

/** @param {string} id */
const favouritePath = (id) => `/favourites/${encodeURIComponent(id)}`;

export class MeSession {
    #api;
    #onRefused;
    #leave;
    #isNew;
    /** @type {Set<() => void>} */
    #listeners = new Set();
    #refreshedAt = -Infinity;
    /** @type {Promise<boolean>} */
    #last = Promise.resolve(true);

    /** @type {import("../data/me-answers.js").Person | null} */
    person = null;
    /** @type {Favourite[]} */
    favourites = [];
    /**
     * Why there is no newer state, or why the last change was refused.
     * @type {Trouble | null}
     */
    trouble = null;
    isWorking = false;
    /** @type {Done | null} */
    done = null;
    /** Counts changes: what is read on its own is read again. */
    revision = 0;

    /**
     * @param {API} api
     * @param {(trouble: Trouble) => void} onRefused the token is not valid, or not any more
     * @param {{ leave?: () => Promise<string | null>, isNew?: boolean }} more leave: ends this browser's subscription to
     *   alerts, the id it had; isNew: the token was just entered, so that it may be a wrong one
     */
    constructor(api, onRefused, { leave = async () => null, isNew = false } = {}) {
        this.#api = api;
        this.#onRefused = onRefused;
        this.#leave = leave;
        this.#isNew = isNew;
    }

    /** @param {() => void} listener @returns {() => void} ends it */
    subscribe(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    #notify() {
        for (const listener of [...this.#listeners]) listener();
    }

    /**
     * A part of the journal.
     * @template T
     * @param {string} path @param {(document: any) => T | null} read null where that is no such answer
     * @returns {Promise<T>}
     * @throws {NoAnswer}
     */
    async read(path, read) {
        try {
            const value = read(await this.#api.get(path));
            if (value === null) throw new NoAnswer(trouble("not_json"));
            return value;
        } catch (error) {
            this.#look(troubleOf(error));
            throw error;
        }
    }

    /** @param {Trouble} found */
    #look(found) {
        if (found.status !== 401) return;
        // Alerts are not for the next person who uses this device; without a valid token the service cannot be asked to end
        // them. A token that was mistyped ends nothing.
        if (!this.#isNew || this.person !== null) this.#leave().catch(() => null);
        this.#onRefused(found);
    }

    async refresh() {
        this.#refreshedAt = performance.now();
        try {
            const [person, favourites] = await Promise.all([
                this.read("", readPerson), this.read("/favourites", readFavourites)]);
            Object.assign(this, { person, favourites, trouble: null, revision: this.revision + 1 });
        } catch (error) {
            this.trouble = troubleOf(error);
        }
        this.#notify();
    }

    /**
     * Reads it again where that was longer ago: another device may have changed it.
     * @param {number} milliseconds
     */
    refreshAfter(milliseconds) {
        if (!this.isWorking && performance.now() - this.#refreshedAt >= milliseconds) this.refresh();
    }

    /**
     * One change at a time; what comes meanwhile is dropped, as a button that is pressed twice.
     * @template T
     * @param {(api: API) => Promise<T>} act
     * @param {(result: T) => Done | null} [say]
     * @returns {Promise<boolean>} whether it was done
     */
    #change(act, say = () => null) {
        if (this.isWorking) return Promise.resolve(false);
        const change = this.#carryOut(act, say);
        this.#last = change;
        return change;
    }

    /**
     * @template T
     * @param {(api: API) => Promise<T>} act
     * @param {(result: T) => Done | null} say
     * @returns {Promise<boolean>}
     */
    async #carryOut(act, say) {
        Object.assign(this, { isWorking: true, trouble: null, done: null });
        this.#notify();
        /** @type {Trouble | null} */
        let refusal = null;
        try {
            this.done = say(await act(this.#api));
        } catch (error) {
            refusal = troubleOf(error);
            this.#look(refusal);
        }
        // What another device has changed may be the reason for a refusal.
        await this.refresh();
        Object.assign(this, { isWorking: false, trouble: refusal ?? this.trouble });
        this.#notify();
        return refusal === null;
    }

    dismiss() {
        Object.assign(this, { done: null, trouble: null });
        this.#notify();
    }

    /** @param {Record<string, string>} form a favourite, or from, to and mode; minutes where they are not forecast */
    start(form) {
        return this.#change((api) => api.post("/journeys/start", form));
    }

    /** @param {Record<string, string>} end stopped or abandoned @param {string} text */
    stop(end, text) {
        const before = this.person?.underWay;
        return this.#change((api) => api.post("/journeys/stop", end),
            () => ({ text, undo: before ? () => this.#putBack({ journeys: [before] }) : null }));
    }

    /** @param {Record<string, string>} form @param {string} text */
    addJourney(form, text) {
        return this.#change((api) => api.post("/journeys", form), () => ({ text, undo: null }));
    }

    /** @param {Journey} journey @param {string} text */
    removeJourney(journey, text) {
        return this.#change((api) => api.remove(`/journeys/${encodeURIComponent(journey.id)}`),
            () => ({ text, undo: () => this.#putBack({ journeys: [journey] }) }));
    }

    /** @param {Record<string, string>} form @param {string} text */
    addFavourite(form, text) {
        return this.#change((api) => api.post("/favourites", form), () => ({ text, undo: null }));
    }

    /**
     * After the change that is on its way: what is chosen twice quickly is kept as it was chosen last.
     * @param {string} id @param {Record<string, string>} form name, refresh_min or position, from 1 on
     */
    async setFavourite(id, form) {
        while (this.isWorking) await this.#last;
        return this.#change((api) => api.post(favouritePath(id), form));
    }

    /** @param {Favourite} favourite @param {string} text */
    removeFavourite(favourite, text) {
        const position = this.favourites.indexOf(favourite) + 1;
        // Its reminders go with it, and come back with it.
        const act = async (/** @type {API} */ api) => {
            const all = readReminders(await api.get("/reminders")) ?? [];
            await api.remove(favouritePath(favourite.id));
            return all.filter(({ document }) => document.favourite_id === favourite.id);
        };
        return this.#change(act, (reminders) =>
            ({ text, undo: () => this.#putBack({ favourites: [favourite], reminders }, position) }));
    }

    /** @param {Record<string, string>} form @param {string} text */
    addReminder(form, text) {
        return this.#change((api) => api.post("/reminders", form), () => ({ text, undo: null }));
    }

    /** @param {string} id @param {Record<string, string>} form on or lead_min */
    setReminder(id, form) {
        return this.#change((api) => api.patch(`/reminders/${encodeURIComponent(id)}`, form));
    }

    /** @param {import("../data/alert-answers.js").Reminder} reminder @param {string} text */
    removeReminder(reminder, text) {
        return this.#change((api) => api.remove(`/reminders/${encodeURIComponent(reminder.id)}`),
            () => ({ text, undo: () => this.#putBack({ reminders: [reminder] }) }));
    }

    /**
     * Has alerts sent to this browser, or not any more; what the browser itself does for it comes first.
     * @param {() => Promise<{ document: string } | { remove: string }>} act what to send: a subscription, or the id of one
     * @param {string} text
     */
    setBrowser(act, text) {
        return this.#change(async (api) => {
            const sent = await act();
            if ("document" in sent) return api.postDocument("/alerts/push", sent.document);
            return api.remove(`/alerts/push/${encodeURIComponent(sent.remove)}`);
        }, () => ({ text, undo: null }));
    }

    /**
     * Has alerts sent to this browser no more, if they are, when the token is forgotten. What fails then changes nothing.
     */
    async leaveBrowser() {
        const id = await this.#leave().catch(() => null);
        if (id !== null) await this.#api.remove(`/alerts/push/${encodeURIComponent(id)}`).catch(() => null);
    }

    /** @param {Record<string, string>} form @param {string} text */
    addRule(form, text) {
        return this.#change((api) => api.post("/alerts/rules", form), () => ({ text, undo: null }));
    }

    /** @param {string} id @param {string} text */
    removeRule(id, text) {
        return this.#change((api) => api.remove(`/alerts/rules/${encodeURIComponent(id)}`), () => ({ text, undo: null }));
    }

    /** @param {"hour" | "morning" | "week" | "off"} length */
    pauseAlerts(length) {
        return this.#change((api) => api.post("/alerts/pause", { for: length }));
    }

    /** @param {string} text */
    testAlerts(text) {
        return this.#change((api) => api.post("/alerts/test", {}), () => ({ text, undo: null }));
    }

    /** @param {string | null} lastID @param {AbortSignal} signal */
    openEvents(lastID, signal) { return this.#api.stream("/events", lastID, signal); }

    /**
     * Entries keep their identifiers, so that uses and averages are as before.
     * @param {Parameters<typeof journalOf>[0]} entries
     * @param {number} [position] of the favourite
     */
    async #putBack(entries, position) {
        await this.#change(async (api) => {
            await api.postDocument("/import", journalOf(entries));
            const [favourite] = entries.favourites ?? [];
            if (favourite && position) await api.post(favouritePath(favourite.id), { position: String(position) });
        });
    }

    /**
     * @param {Record<string, string>} form settings by their names
     * @param {(report: any) => string} say what came of it
     */
    setSettings(form, say) {
        return this.#change((api) => api.patch("/settings", form), (report) => ({ text: say(report), undo: null }));
    }

    /** @param {(report: any) => string} say what came of it */
    resetSettings(say) {
        return this.#change((api) => api.remove("/settings"), (report) => ({ text: say(report), undo: null }));
    }

    /**
     * The document of all, as text.
     * @throws {NoAnswer}
     */
    export() { return this.#api.getText("/export"); }

    /**
     * @param {string} document
     * @param {(report: any) => string} say what came of it
     */
    import(document, say) {
        return this.#change((api) => api.postDocument("/import", document),
            (report) => ({ text: say(report), undo: null }));
    }
}
