import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, type Row } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { asks, keyOf } from '../data/keys.ts'
import { oneQuery } from '../data/queries.ts'
import { DeliveryActions } from '../lines/delivery-actions.tsx'
import { verdictKey } from '../lines/verdict-words.ts'
import { WebhookName } from '../lines/webhook-name.tsx'
import { plain } from '../words/formats.ts'
import { reasonOf } from '../words/server-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { SignaturePanel } from './signature-panel.tsx'
import { took } from './took.ts'

const FIELDS = [
  'route',
  'target',
  'host',
  'verdict',
  'reason',
  'status',
  'received_at',
  'replayed_at',
  'call_ref',
  'tool',
  'ms',
  'budget_ms',
  'headers',
  'body',
  'reply',
] as const
const INDENT = 2
/** Webhooks that the phone provider signs. */
const TELCO = '/telco/webhook/'

/** One delivery: first a sentence that says what became of it and why, then what really came and went. */
export function DeliveryPanel({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useWords('deliveries')
  const { data: delivery, error } = useQuery(oneQuery('connect.delivery', id, FIELDS))
  const { data: why } = useQuery(
    asks({
      queryKey: keyOf('connect.delivery', 'why', id),
      queryFn: async () => sentenceIn(await call('connect.delivery', 'explain', { ids: [id] })) ?? '',
    }),
  )
  const isSignature = delivery?.verdict === 'rejected' && delivery.route?.startsWith(TELCO) === true
  return (
    <aside className={classes.panel} aria-label={say('delivery', { id })}>
      <div className={classes.head}>
        <h2>{say('delivery', { id })}</h2>
        <CloseButton aria-label={say('close')} onClick={onClose} />
      </div>
      {error === null ? null : <p role="alert">{sentenceOf(error)}</p>}
      {delivery === null ? <p>{say('gone')}</p> : null}
      {why === undefined || isSignature ? null : <WhySentence verdict={delivery?.verdict ?? null} why={why} />}
      {delivery ? (
        <>
          <WebhookName {...delivery} />
          {isSignature ? <SignaturePanel id={id} /> : null}
          <DeliveryActions id={id} />
          <Summary delivery={delivery} />
          <Raw title={say('address')} text={[delivery.host, delivery.target ?? delivery.route].join(' ')} />
          <Raw title={say('body')} text={delivery.body} />
          <Raw title={say('reply')} text={delivery.reply} />
          <Raw
            title={say('headers')}
            text={delivery.headers === null ? null : JSON.stringify(delivery.headers, null, INDENT)}
          />
        </>
      ) : null}
    </aside>
  )
}

function WhySentence({ verdict, why }: { verdict: string | null; why: string }) {
  const say = useWords('deliveries')
  return <p className={classes.why}>{verdict === 'handled' ? say('whyHandled') : plain(reasonOf(why))}</p>
}

type Summarised = Pick<
  Row<'connect.delivery', (typeof FIELDS)[number]>,
  'received_at' | 'replayed_at' | 'reason' | 'verdict' | 'status' | 'call_ref' | 'ms' | 'budget_ms'
>

function Summary({ delivery }: { delivery: Summarised }) {
  const say = useWords('deliveries')
  const verdict = verdictKey(delivery)
  return (
    <p className="dim">
      {delivery.received_at === null ? '' : formats.time(delivery.received_at)} ·{' '}
      {verdict === undefined ? '' : say(verdict)} {delivery.status}
      {delivery.replayed_at === null ? '' : ` · ${say('replayedAt', { time: formats.time(delivery.replayed_at) })}`}
      {' · '}
      {took(delivery, (ms, seconds) => say('budget', { ms, seconds }))}{' '}
      {delivery.call_ref === null ? null : (
        <Link to={`/calls/${delivery.call_ref}`}>{say('callNamed', { id: delivery.call_ref })}</Link>
      )}
    </p>
  )
}

/** The bytes themselves, one click away. */
function Raw({ title, text }: { title: string; text: string | null }) {
  if (text === null || text === '') return null
  return (
    <details>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled has to be reached by keys */}
      <pre className={classes.raw} tabIndex={0}>
        {plain(text)}
      </pre>
    </details>
  )
}

function sentenceIn(answer: unknown): string | undefined {
  const sentence = typeof answer === 'object' && answer !== null && 'sentence' in answer ? answer.sentence : undefined
  return typeof sentence === 'string' ? sentence : undefined
}
