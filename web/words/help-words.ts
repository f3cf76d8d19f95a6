type Words = Readonly<Record<string, string>>

/** Rules that the service makes of a field's limits. */
const LIMITS: readonly { matches: RegExp; key: string }[] = [
  { matches: /^At most (?<max>\S+) characters\./, key: 'At most {{max}} characters.' },
  { matches: /^From (?<min>\S+) to (?<max>\S+)\.(?= |$)/, key: 'From {{min}} to {{max}}.' },
]

interface Help {
  text: string
  /** What there are no words for, from its first sentence on. */
  unknown: string
}

/**
 * What stands beside a field, in other words: the service puts it together of a text of its own and of the rules that a
 * value follows, each known as a whole.
 */
export function wordHelp(english: string, words: Words): Help {
  const said: string[] = []
  let rest = english
  while (rest !== '') {
    const [length, text] = longestKnown(rest, words) ?? limitOf(rest, words) ?? []
    if (length === undefined || text === undefined) break
    said.push(text)
    rest = rest.slice(length).trimStart()
  }
  return { text: [...said, rest].filter((each) => each !== '').join(' '), unknown: rest }
}

type Found = readonly [length: number, text: string] | undefined

function longestKnown(text: string, words: Words): Found {
  const known = Object.keys(words).filter((key) => text === key || text.startsWith(`${key} `))
  const longest = known.reduce((best, key) => (key.length > best.length ? key : best), '')
  return longest === '' ? undefined : [longest.length, words[longest] ?? longest]
}

function limitOf(text: string, words: Words): Found {
  for (const { matches, key } of LIMITS) {
    const found = matches.exec(text)
    const sentence = words[key]
    if (found === null || sentence === undefined) continue
    return [found[0].length, sentence.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => found.groups?.[name] ?? '')]
  }
  return undefined
}
