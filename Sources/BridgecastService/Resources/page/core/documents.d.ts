// The service's documents, as the page reads them. Read by the type check only.

/** Where what is known comes from. */
export interface Source {
    id: string;
    fetched_at: string | null;
    age_s: number | null;
    stale: boolean;
    error: string | null;
}

/** What all documents of the service begin with. */
export interface Envelope {
    generated_at: string;
    issue_time: string | null;
    valid_at: string;
    model: string;
    weight_format: string;
    sources: Source[];
    warnings: string[];
}

/** A fact as a code with values, which the page says in the visitor's language; `text` is English. */
export interface Reason {
    code: string;
    values: Record<string, string | number | boolean | null>;
    text?: string;
}

/** An arrival that was forecast. */
export interface OutlookPoint {
    valid_time: string;
    lead_time_s: number;
    probability_stopped: number;
    usual_probability_stopped: number;
    expected_delay_s: number;
    basis: "live" | "climatology";
}

export interface Window { from: string; to: string }

export type BridgeState = "raised" | "lowered" | "unknown";

/** A bridge in the board, or alone. */
export interface Bridge {
    bridge: string;
    bridge_id: number;
    waterway: string;
    latitude: number;
    longitude: number;
    state: BridgeState;
    since: string | null;
    state_age_s: number | null;
    probability_stopped: number;
    usual_probability_stopped: number;
    expected_delay_s: number;
    expected_delay_if_stopped_s: number | null;
    delay_quantiles_s: number[];
    delay_quantiles_if_stopped_s?: number[] | null;
    confidence: "HIGH" | "MEDIUM" | "LOW";
    clearance_ft: number | null;
    rules: string[];
    rule_facts?: Reason[];
    reasons: Reason[];
    next_closed_window?: Window | null;
    outlook: OutlookPoint[];
}

/** `/bridges/{id}`: a bridge, its rules and a vessel under it. */
export interface BridgeDocument extends Envelope, Bridge {
    openings_per_day_usual: number | null;
    vessel_height_ft?: number | null;
    vessel_needs_opening?: boolean | null;
    vessel_answer?: string | null;
    closed_windows_today: Window[];
    closed_windows_week?: { date: string; windows: Window[] }[];
}

/** `/bridges`: all bridges at a moment. */
export interface Board extends Envelope {
    clock_rate?: number | null;
    replay_until?: string | null;
    bridges: Bridge[];
}

export interface Opening { opened_at: string; closed_at: string | null }

/** `/days/{date}?forecasts=false`: a day as it was. */
export interface DayDocument extends Envelope {
    date: string;
    from: string;
    to: string;
    covered: boolean;
    bridges: { bridge: string; bridge_id: number; coverage: Window[]; openings: Opening[] }[];
}

/** `/bridges/{id}/pattern`: how often and how long, by weekday (1 is Monday) and hour in Seattle. */
export interface PatternDocument extends Envelope {
    bridge: string;
    bridge_id: number;
    from: string;
    to: string;
    covered_days: number;
    openings: number;
    median_duration_s: number | null;
    hours: {
        weekday: number; hour: number; covered_h: number; openings: number;
        openings_per_h: number | null; median_duration_s: number | null; raised_share: number | null;
    }[];
}

export interface Crossing {
    bridge: string; bridge_id: number; eta: string; lead_time_s: number;
    probability_stopped: number; usual_probability_stopped: number;
    delay_s: { mean: number; p50: number; p80: number; p95: number };
    delay_quantiles_s: number[]; confidence: string; basis: string; reasons: Reason[];
}

export interface RankedRoute {
    rank: number; id: string; name: string; score: number;
    travel_s: { mean: number; p50: number; p80: number; p90: number; p95: number };
    expected_arrival: string; probability_stopped: number; expected_delay_s: number;
    travel_quantiles_s: number[]; idling_co2_g: number;
    criteria: Record<string, number>; behind_best_min: Record<string, number>;
    crossings: Crossing[]; metres: number;
    /** Encoded polyline, six decimals. */
    geometry: string;
}

/** `/routes`: ways between two places, ranked. */
export interface RoutesDocument extends Envelope {
    departure: string;
    attribution: string;
    groups: {
        origin: string; destination: string; mode: Mode; routes: RankedRoute[];
        comparisons: { route: string; other: string; probability_faster: number; probability_tie: number }[];
    }[];
}

export interface DepartureRoute {
    departure: string; route_id: string; route: string; expected_s: number; p50_s?: number; p90_s: number;
    expected_arrival: string; probability_on_time: number | null; probability_stopped: number;
}

/** `/depart`: departure after departure. */
export interface DepartureDocument extends Envelope {
    origin: string; destination: string; mode: Mode; arrive_by: string | null; confidence: number;
    latest: DepartureRoute[];
    points: { departure: string; routes: DepartureRoute[] }[];
}

export type Mode = "car" | "bike" | "walk";

export interface Place { name: string; kind: string; latitude: number; longitude: number }
