import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { oneQuery } from '../data/queries.ts'
import type { Moment } from '../lines/call-queries.ts'
import { DeliveryActions } from '../lines/delivery-actions.tsx'
import { type Step, stepWords } from '../lines/story-words.ts'
import { verdictKey } from '../lines/verdict-words.ts'
import { WebhookName } from '../lines/webhook-name.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './call.module.css'
import { prettyJson, prettyMarkup, readForm } from './raw-text.ts'

const RAW_FIELDS = ['route', 'tool', 'verdict', 'reason', 'status', 'headers', 'body', 'reply'] as const

const RECORD_WORDS = {
  'connect.channel': 'leg',
  'connect.recording': 'recordingOne',
  'connect.voicemail': 'voicemail',
  'connect.call': 'call',
  'helpdesk.ticket': 'ticket',
  'calendar.event': 'meeting',
  'res.partner': 'contact',
} as const

/** What is behind one moment: what our answer does, what a tool was asked and answered, and the bytes for administrators. */
export function MomentDetails({ moment }: { moment: Moment }) {
  const say = useWords('calls')
  const tell = useWords('story')
  const { params, ref, delivery } = moment
  const steps = Array.isArray(params.steps) ? (params.steps as Step[]) : []
  return (
    <div className={classes.details}>
      {steps.length === 0 ? null : (
        <ol className={classes.steps}>
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps of one answer keep their order
            <li key={at}>{plain(stepWords(tell, step))}</li>
          ))}
        </ol>
      )}
      <Part name={say('arguments')} text={prettyJson(params.arguments)} />
      <Part name={say('answer')} text={prettyJson(params.answer)} />
      <Part name={say('says')} text={typeof params.say === 'string' ? params.say : undefined} />
      {delivery !== undefined && moment.has_raw ? (
        <>
          <DeliveryActions id={delivery} />
          <RawDelivery id={delivery} />
        </>
      ) : null}
      <p className="dim">
        {formats.time(moment.at)} <RecordLink target={ref} isAdmin={moment.has_raw} />
      </p>
    </div>
  )
}

function RawDelivery({ id }: { id: number }) {
  const say = useWords('calls')
  const results = useWords('deliveries')
  const { data } = useQuery(oneQuery('connect.delivery', id, RAW_FIELDS))
  if (!data) return null
  const verdict = verdictKey(data)
  const form = readForm(data.body)
  return (
    <>
      <p className="dim">
        {verdict === undefined ? '' : results(verdict)} {data.status}
      </p>
      <WebhookName {...data} />
      {form === undefined ? (
        <Part name={say('body')} text={prettyJson(data.body)} />
      ) : (
        <dl className={classes.form} aria-label={say('form')}>
          {form.map(([name, value]) => (
            <Entry key={name} name={name}>
              {plain(value)}
            </Entry>
          ))}
        </dl>
      )}
      <Part name={say('reply')} text={prettyMarkup(data.reply)} />
      <details>
        <summary>{say('headers')}</summary>
        <Text>{prettyJson(data.headers) ?? ''}</Text>
      </details>
    </>
  )
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="mono">{children}</dd>
    </>
  )
}

function Part({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <>
      <h3>{name}</h3>
      <Text>{text}</Text>
    </>
  )
}

function Text({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled has to be reached by keys
    <pre className={classes.raw} tabIndex={0}>
      {plain(children)}
    </pre>
  )
}

function RecordLink({ target, isAdmin }: { target: Moment['ref']; isAdmin: boolean }) {
  const say = useWords('calls')
  const [model, id] = (target ?? []) as [string?, number?]
  if (model === undefined || id === undefined || model === 'mail.message') return null
  if (model === 'connect.delivery') {
    return isAdmin ? (
      <Link to="/deliveries" search={{ open: id } as never}>
        {say('theDelivery', { id })}
      </Link>
    ) : null
  }
  const name = Object.hasOwn(RECORD_WORDS, model) ? say(RECORD_WORDS[model as keyof typeof RECORD_WORDS]) : model
  return <Link to={`/records/${model}/${id}`}>{`${name} ${id}`}</Link>
}
