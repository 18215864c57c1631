// Whether the service has a timetable: without one there are no lines to show.

export const timetableSource = "timetable";

/**
 * @param {import("../core/types").Board | null} board
 */
export const hasTimetable = (board) => board?.sources.some(({ id }) => id === timetableSource) ?? false;
