import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sentenceOf } from '../data/errors.ts'
import { useMe } from '../data/session.ts'
import { Button } from '../design/press.tsx'
import { DialButton } from '../lines/dial-button.tsx'
import { usePlayedCall } from '../lines/played-call.ts'
import { momentWords, whyWords } from '../lines/story-words.ts'
import { type Fix, type Why, whyQuery } from '../lines/why-query.ts'
import { plain } from '../words/formats.ts'
import { useToolWords } from '../words/tool-words.ts'
import { useWords } from '../words/words.ts'
import classes from './call.module.css'
import { CallDone } from './call-done.tsx'
import type { PageCall } from './call-view.tsx'

/** A call that goes on, and one in which nobody was called because the own phone did not answer. */
const STAYS_OPEN = ['in_progress', 'own_phone', 'own_phone_hung_up', 'own_phone_not_reached']

/** Why it ended here: one sentence, what shows it, and the button that mends it. */
export function CallWhy({ call, onShow }: { call: PageCall; onShow: (place: number) => void }) {
  const say = useWords('calls')
  const tell = useWords('story')
  const tools = useToolWords()
  const { data: why, error } = useQuery(whyQuery(call.id))
  if (error !== null) return <p role="alert">{sentenceOf(error)}</p>
  if (why === undefined) return <div className={classes.why} aria-busy />
  const isDone = why.open.length === 0 && why.fixes.length === 0 && !STAYS_OPEN.includes(why.code)
  return (
    <section className={classes.why} aria-label={say('why')}>
      <p className={classes.whySentence}>
        {plain(whyWords(tell, why, tools))} {isDone ? <span className="dim">{say('nothingOpen')}</span> : null}
      </p>
      {why.open.map(({ kind, moment, ...open }) => (
        <p key={kind} className={classes.open}>
          {say('notDone')} <ShowButton words={whyWords(tell, open, tools)} onShow={() => onShow(moment)} />
        </p>
      ))}
      <CallDone call={call} />
      <div className={classes.whyFoot}>
        {why.fixes.map((fix) => (
          <FixLink
            key={`${fix.code}${fix.action?.id ?? ''}`}
            call={call.id}
            fix={fix}
            words={plain(whyWords(tell, fix, tools))}
          />
        ))}
        <Because because={why.because} onShow={onShow} />
      </div>
    </section>
  )
}

function Because({ because, onShow }: { because: Why['because']; onShow: (place: number) => void }) {
  const say = useWords('calls')
  const tell = useWords('story')
  const tools = useToolWords()
  if (because.length === 0) return null
  return (
    <details className={classes.because}>
      <summary>{say('steps', { count: because.length })}</summary>
      <ol>
        {because.map((each, at) => {
          const words = plain(momentWords(tell, { ...each, title: each.code }, tools))
          const { moment } = each
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: what shows an ending keeps its order
            <li key={at}>{moment === null ? words : <ShowButton words={words} onShow={() => onShow(moment)} />}</li>
          )
        })}
      </ol>
    </details>
  )
}

function ShowButton({ words, onShow }: { words: string; onShow: () => void }) {
  return (
    <button type="button" className={classes.textButton} onClick={onShow}>
      {plain(words)}
    </button>
  )
}

/** What mends it leads to where it is done. */
function FixLink({ call, fix, words }: { call: number; fix: Fix; words: string }) {
  const { action } = fix
  if (action === undefined) return <span>{words}</span>
  if (action.kind === 'call_again') return <CallAgain number={action.number ?? ''} words={words} />
  if (action.kind === 'call_back') return <CallBack number={action.number ?? ''} words={words} />
  if (action.kind === 'own_phone') return <OwnPhoneLink words={words} />
  const { to, search } = placeOf(action, call)
  return (
    <Link className={classes.fix} to={to} search={search as never}>
      {words}
    </Link>
  )
}

/** Called back by one's own phone here; the sentence alone for everybody who has none. */
function CallBack({ number, words }: { number: string; words: string }) {
  return (
    <>
      <span>{words}</span> <DialButton number={number} size="compact-sm" />
    </>
  )
}

/** Leads to the reader's own phone; the sentence alone where they have none any more. */
function OwnPhoneLink({ words }: { words: string }) {
  const { phone } = useMe()
  return phone ? (
    <Link className={classes.fix} to={`/records/connect.user/${phone.id}` as never}>
      {words}
    </Link>
  ) : (
    <span>{words}</span>
  )
}

/** It is mended: where the provider is an emulator, a call that shows it is played from here. */
function CallAgain({ number, words }: { number: string; words: string }) {
  const say = useWords('calls')
  const { features } = useMe()
  const { isOn, play } = usePlayedCall()
  return (
    <>
      <span>{words}</span>
      {features.emulated === true ? (
        <Button size="compact-sm" loading={isOn} onClick={() => play(number)}>
          {say('playCall')}
        </Button>
      ) : null}
    </>
  )
}

function placeOf(action: NonNullable<Fix['action']>, call: number): { to: string; search: Record<string, unknown> } {
  if (action.kind === 'delivery') return { to: '/deliveries', search: { open: action.id } }
  if (action.kind === 'record') return { to: `/records/${action.model}/${action.id}`, search: {} }
  if (action.kind !== 'synchronise') return { to: '/settings', search: {} }
  return { to: '/settings/synchronise', search: { provider: action.provider, call } }
}
