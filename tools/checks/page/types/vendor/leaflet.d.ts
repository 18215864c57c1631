// Leaflet comes without types of its own; the page's use of it is checked in the browser.
declare const anything: any;
export const map: any, svg: any, geoJSON: any, polyline: any, marker: any, divIcon: any, latLng: any, latLngBounds: any,
    layerGroup: any, control: any, CRS: any, circleMarker: any, polygon: any, DomEvent: any, canvas: any, point: any, popup: any;
export default anything;
