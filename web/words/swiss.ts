/** German as it is written in Switzerland and Liechtenstein, where there is no ß. */
export function asWrittenIn(language: string, words: Readonly<Record<string, string>>): Record<string, string> {
  const isSwiss = /^de-(?:[A-Za-z]{4}-)?(?:CH|LI)$/.test(language)
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => [key, isSwiss ? text.replaceAll('ß', 'ss') : text]),
  )
}
