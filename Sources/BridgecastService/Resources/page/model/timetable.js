// Whether the service has a timetable: without one there are no lines to show.

/**
 * @param {import("../core/types").Board | null} board
 */
export const hasTimetable = (board) => board?.has_timetable === true;
