// Whether this browser can tell the visitor of something later, and what to do where it cannot.
import { askToNotify, notificationProblem } from "./notify.js";

/** @typedef {"unsupported" | "insecure" | "refused"} FeedbackProblem */

/** The browser cannot notify the visitor; the text feedback.REASON says why, and what to do. */
export class FeedbackUnavailable extends Error {
    /** @param {FeedbackProblem} reason */
    constructor(reason) {
        super(`no notifications: ${reason}`);
        this.reason = reason;
    }
}

/**
 * Asks the visitor, who has just pressed a button for it.
 * @throws {FeedbackUnavailable}
 */
export async function allowFeedback() {
    const problem = notificationProblem();
    if (problem !== null) throw new FeedbackUnavailable(problem);
    if (!await askToNotify()) throw new FeedbackUnavailable("refused");
}

/**
 * Asks the visitor; null where it is allowed, else why it is not.
 * @returns {Promise<FeedbackProblem | null>}
 */
export async function feedbackRefusal() {
    try {
        await allowFeedback();
        return null;
    } catch (error) {
        if (error instanceof FeedbackUnavailable) return error.reason;
        throw error;
    }
}
