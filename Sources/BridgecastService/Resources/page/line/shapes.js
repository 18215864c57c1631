// Shapes of paths that browsers of a few years ago cannot make by themselves.

/**
 * A rectangle with round corners.
 * @param {Path2D | CanvasRenderingContext2D} path
 * @param {{ x: number, y: number, width: number, height: number, radius: number }} box left, top, and sizes
 */
export function addRounded(path, { x, y, width, height, radius }) {
    const [right, bottom] = [x + width, y + height];
    path.moveTo(x + radius, y);
    path.arcTo(right, y, right, bottom, radius);
    path.arcTo(right, bottom, x, bottom, radius);
    path.arcTo(x, bottom, x, y, radius);
    path.arcTo(x, y, right, y, radius);
    path.closePath();
}
