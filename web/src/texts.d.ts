/** The texts of a part of the page: see `ownTexts` in vite.config.ts. */
declare module '*.json?fair' {
  const texts: Record<string, string>
  export default texts
}
