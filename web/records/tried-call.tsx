import { phone, plain, readInstant } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { languageName } from '../words/languages.ts'
import { findingOf } from '../words/server-words.ts'
import { reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import classes from './json-text.module.css'

interface TriedCall {
  from: string
  to: string
  /** In UTC, and the zone of the number's clock. */
  moment: string
  zone: string
  steps: readonly { what: string; detail: string }[]
}

/** Between the words that are heard and the language or the way they are made in. */
const MADE = '  · '
const LANGUAGE = /^[a-z]{2,3}-\w+$/i

export function isTriedCall(answer: unknown): answer is TriedCall {
  const names = ['from', 'to', 'moment', 'zone', 'steps']
  return typeof answer === 'object' && answer !== null && names.every((name) => name in answer)
}

/** What a caller hears, step by step. */
export function TriedCallText({ call: { from, to, moment, zone, steps } }: { call: TriedCall }) {
  const say = useWords('records')
  return (
    <>
      <p>{say('triedCall', { from: phone(from), to: phone(to), at: momentIn(moment, zone) })}</p>
      <table className={classes.table}>
        <tbody>
          {steps.map(({ what, detail }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps of one call, which is replaced as a whole
            <tr key={at}>
              <th scope="row">{labelOf(what)}</th>
              <td>
                <Detail text={detail} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** Words that are heard are the company's own; everything else is the service's. */
function Detail({ text }: { text: string }) {
  const [words = '', made] = text.split(MADE)
  if (made === undefined) return <>{plain(findingOf(words))}</>
  return (
    <>
      {plain(words)}{' '}
      {LANGUAGE.test(made) ? <span className="dim">· {languageName(made, reader().language)}</span> : null}
    </>
  )
}

/** A moment on the clock of the number, which is named where it is not the reader's. */
function momentIn(moment: string, zone: string): string {
  const { language, zone: own, hourCycle } = reader()
  const at = readInstant(moment).toLocaleString(language, {
    ...{ timeZone: zone, weekday: 'long', day: 'numeric', month: 'long' },
    ...{ hourCycle, hour: '2-digit', minute: '2-digit' },
  })
  return zone === own ? at : `${at} (${zoneName(zone, language)})`
}
