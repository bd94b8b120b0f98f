/** Places of specs that judge the whole platform or stop parts of it: `npm run test:all` runs them as well. */
export const SYSTEM_SPECS = ['/test/system/', '/bench/dist/'];

export const isOfSystem = (path) => SYSTEM_SPECS.some((place) => path.includes(place));
