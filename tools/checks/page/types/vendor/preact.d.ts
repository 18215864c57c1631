// What the page uses of Preact and htm, for the type check.
type Any = any;
export function html(strings: TemplateStringsArray, ...values: Any[]): Any;
export function h(type: Any, properties: Any, ...children: Any[]): Any;
export function render(tree: Any, parent: Element): void;
export function createContext(value: Any): Any;
export function useContext(context: Any): Any;
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
export function useMemo<T>(make: () => T, inputs: unknown[]): T;
export function useCallback<T extends Function>(callback: T, inputs: unknown[]): T;
export function useRef<T>(initial: T): { current: T };
export function useReducer(reducer: Any, initial: Any): [Any, (action: Any) => void];
export function useErrorBoundary(callback?: (error: unknown) => void): [unknown, () => void];
export class Component { setState(state: Any): void; state: Any; props: Any; }
