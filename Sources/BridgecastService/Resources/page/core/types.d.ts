// The shapes that modules share: the page's state, its address, its actions; and the service's documents, whose types
// tools/checks/page/documents.py makes from openapi.json for the type check.
import type * as Documents from "./documents";

export type { Comparison, Crossing, Mode, OutlookPoint, Place, Reason, Source, Window } from "./documents";
export type BridgeState = Documents.State;
/** A bridge in the board, and alone. */
export type Bridge = Documents.BridgeSummary;
export type BridgeDocument = Documents.Bridge;
export type Board = Documents.Bridges;
export type Known = Documents.KnownStates;
export type Opening = Pick<Documents.Opening, "opened_at" | "closed_at">;
export type DayDocument = Documents.Day;
export type PatternDocument = Documents.Pattern;
/** A route with its details, which the page asks for. */
export type RankedRoute = Documents.Route & Required<Pick<Documents.Route,
    "travel_quantiles_s" | "criteria" | "excess_over_best_min" | "crossings" | "metres" | "geometry">>;
export type DepartureRoute = Documents.Departure;

/** Why an answer is not there. */
export interface Trouble {
    kind: "offline" | "late" | "cut" | "status" | "not_json";
    /** The status of HTTP where there was one. */
    status: number | null;
    /** The service's own words, English. */
    detail: string | null;
    recovery: string | null;
    /** The parameter that is at fault. */
    parameter: string | null;
    near: string[];
    code: string | null;
    retryAfterSeconds: number | null;
}

/** What the page's address says: a view and its parameters. */
export interface Address {
    view: "now" | "trip" | "bridge" | "skill" | "line" | "board" | "run" | "widget" | "me";
    /** Parameters as text: bridge, from, to, mode, leave, arrive, sure, height, line, lines, stop, run, date,
     *  near, rows, arrivals, size, theme, compact, refresh, direction, lang, replay. */
    values: Record<string, string>;
}

/** A past day that is being looked at. */
export interface Replay {
    /** The day in Seattle, such as 2026-02-20. */
    date: string;
    day: DayDocument | null;
    isPlaying: boolean;
    /** Seconds of the day in a second. */
    speed: number;
    trouble: Trouble | null;
}

export interface Preferences {
    /** The city's numbers of bridges, in the order in which they were pinned. */
    pinned: number[];
    /** null follows the browser. */
    language: string | null;
    theme: "light" | "dark" | null;
    /** Bridges whose rising is reported by a notification. */
    watched: number[];
    /** Raised bridges whose coming down is reported once. */
    watchedDown: number[];
    /** Whether the live line has a grid below it. */
    hasGrid: boolean;
    /** Whether it is painted up to sixty times a second instead of thirty. */
    isSmooth: boolean;
    /** Stops, the first of which boards open with. */
    favourites: Favourite[];
    /** Departures of each direction on a board, 1 to 10. */
    boardRows: number;
}

/** A stop that the visitor keeps. */
export interface Favourite {
    /** The line's identifier; null for all lines that call there. */
    line: string | null;
    stop: string;
    direction: number | null;
    /** What the stop is called. */
    name: string;
}

/** The line, the board or the run that is looked at, for the document's title. */
export interface ShownLine {
    title: string;
    /** The visitor's stop, or the board's; null while none is chosen. */
    stop: string | null;
    /** The next arrival there, milliseconds since 1970. */
    arrivesAt: number | null;
}

/** A time that cannot be replayed, and why; instead of a later one of today the last minute is shown. */
export interface RefusedReplay { value: string; code: "no_day" | "not_yet" | "too_early" | "later" }

/** Everything that views are made of, but for the clock and answers to questions of single views. */
export interface State {
    /** The last good board; never wiped by a failure. */
    board: Board | null;
    /** What is wrong with the connection to the service; null while all is well. */
    trouble: Trouble | null;
    /** When the next try is, milliseconds of performance.now(); null while none is waited for. */
    nextTryAt: number | null;
    isOnline: boolean;
    address: Address;
    replay: Replay | null;
    /** What was asked for last and is no time of the past. */
    refused?: RefusedReplay | null;
    preferences: Preferences;
    line?: ShownLine | null;
}

export type Action =
    | { type: "board"; board: Board | null }
    | { type: "bridge"; bridgeId: number; state: BridgeState; since: string | null }
    | { type: "sources"; sources: Documents.Source[] }
    | { type: "trouble"; trouble: Trouble | null; nextTryAt: number | null }
    | { type: "online"; isOnline: boolean }
    | { type: "address"; address: Address }
    | { type: "replay"; replay: Replay | null }
    | { type: "refused"; refused: RefusedReplay | null }
    | { type: "line"; line: ShownLine | null }
    | { type: "preferences"; preferences: Partial<Preferences> };
