import { SegmentedControl, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { GROUP, useIsInOne } from '../data/session.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { LinkPicker } from '../records/link-picker.tsx'
import { plain } from '../words/formats.ts'
import { useToolWords } from '../words/tool-words.ts'
import { useWords } from '../words/words.ts'
import classes from './talk.module.css'
import { Json } from './talk-json.tsx'
import type { AgentView } from './use-agent.ts'
import { type Step, type TalkLine, type TalkView, useTalk } from './use-talk.ts'

const NO_MICROPHONE = { refused: 'talkMicRefused', none: 'talkMicNone', insecure: 'talkMicInsecure' } as const

/** A conversation with the agent before a customer has one; for administrators. */
export function TalkPart({ agent }: { agent: AgentView }) {
  return useIsInOne(GROUP.connectAdmin) ? <Talk agent={agent} /> : null
}

function Talk({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const talk = useTalk(agent.id)
  return (
    <section className={classes.talk} aria-label={say('talk')}>
      <h2>{say('talk')}</h2>
      {talk.stage === 'open' ? null : <Before agent={agent} talk={talk} />}
      {talk.stage === 'idle' ? null : <About talk={talk} />}
      {talk.lines.length === 0 ? null : <Lines talk={talk} />}
      {talk.stage === 'open' ? <Message talk={talk} /> : null}
    </section>
  )
}

/** Which version is talked with, and who calls. */
function Before({ agent, talk }: { agent: AgentView; talk: TalkView }) {
  const say = useWords('agents')
  const [version, setVersion] = useState<'draft' | 'published'>('draft')
  const [contact, setContact] = useState<unknown>(null)
  const [number, setNumber] = useState('')
  const isDrafted = agent.draft !== undefined || agent.isTyped
  const start = async (kind: 'text' | 'voice'): Promise<void> => {
    // Without a draft the published version answers; whether there is one may not be known here yet.
    const draft = version === 'draft'
    const partner = Array.isArray(contact) ? Number(contact[0]) : null
    try {
      // What is typed is tried as it is typed.
      if (draft) await agent.save()
      await talk.start({ draft, kind, caller: number.trim() || null, partner })
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <Form onSubmit={() => start('text')} className={classes.form}>
      {talk.stage === 'idle' ? <p className="dim">{say('talkSays')}</p> : null}
      {isDrafted ? (
        <SegmentedControl
          aria-label={say('talkVersion')}
          data={[
            { value: 'draft', label: say('draft') },
            { value: 'published', label: say('talkPublished') },
          ]}
          value={version}
          onChange={(value) => setVersion(value as 'draft' | 'published')}
        />
      ) : null}
      <LinkPicker
        label={say('talkContact')}
        placeholder={say('talkNobody')}
        model="res.partner"
        value={contact}
        onChange={setContact}
      />
      <TextInput
        label={say('talkNumber')}
        placeholder={say('talkNumberExample')}
        inputMode="tel"
        value={number}
        onChange={({ currentTarget: { value } }) => setNumber(value)}
      />
      <div className={classes.ways}>
        <Button type="submit" loading={talk.stage === 'starting' && !talk.isVoice} disabled={talk.stage === 'starting'}>
          {say('talkByText')}
        </Button>
        <Button
          variant="default"
          loading={talk.stage === 'starting' && talk.isVoice}
          disabled={talk.stage === 'starting'}
          onClick={() => start('voice')}
        >
          {say('talkByVoice')}
        </Button>
      </div>
      {talk.deaf === undefined ? null : (
        <p role="alert" className={classes.problem}>
          {say(NO_MICROPHONE[talk.deaf])}
        </p>
      )}
    </Form>
  )
}

/** With what one talks, and how it ended. */
function About({ talk }: { talk: TalkView }) {
  const say = useWords('agents')
  const tools = useToolWords()
  const { stage, reason, isEmulated, isDraft, isVoice, missing, trial } = talk
  return (
    <div className={classes.about}>
      {isEmulated ? <p className="dim">{say('talkEmulated')}</p> : null}
      {missing.length === 0 ? null : (
        <p className={classes.problem}>
          {say('talkMissing', { names: missing.map((name) => tools(name)).join(', ') })}
        </p>
      )}
      <p role="status">
        {stage === 'starting' ? say('talkStarting') : null}
        {stage === 'open' ? say(isDraft ? 'talkWithDraft' : 'talkWithPublished') : null}
        {stage === 'open' && isVoice ? ` ${say('talkListens')}` : null}
        {stage === 'over' ? overWords(reason, say) : null}
      </p>
      {stage === 'open' || (stage === 'starting' && trial !== undefined) ? (
        <Button variant="default" onClick={() => talk.end().catch(tellRefusal)}>
          {say('talkEnd')}
        </Button>
      ) : null}
    </div>
  )
}

function overWords(reason: string | undefined, say: ReturnType<typeof useWords<'agents'>>): string {
  if (reason === undefined) return say('talkOver')
  return reason === '' ? say('talkCut') : say('talkBroke', { reason })
}

function Lines({ talk: { lines, steps } }: { talk: TalkView }) {
  const say = useWords('agents')
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    end.current?.scrollTo({ top: lines.length === 0 ? 0 : end.current.scrollHeight })
  }, [lines])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div ref={end} role="log" aria-label={say('talkSaid')} className={classes.lines} tabIndex={0}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a conversation keep their order
        <div key={at} data-kind={line.kind} data-speaker={line.kind === 'said' ? line.speaker : undefined}>
          {line.kind === 'said' ? (
            <>
              <span className="dim">{say(line.speaker === 'agent' ? 'talkAgent' : 'talkYou')}</span>
              <p className={classes.words}>{plain(line.words)}</p>
            </>
          ) : (
            <Used line={line} step={stepOf(steps, line)} />
          )}
        </div>
      ))}
    </div>
  )
}

function Used({ line, step }: { line: Extract<TalkLine, { kind: 'used' }>; step: Step | undefined }) {
  const say = useWords('agents')
  const name = useToolWords()(line.tool)
  const words = line.hasFailed ? say('talkToolFailed', { name }) : say('talkTool', { name })
  if (step === undefined) {
    return (
      <span className={line.hasFailed ? classes.problem : 'dim'} title={line.tool}>
        {words}
      </span>
    )
  }
  return (
    <details>
      <summary className={line.hasFailed ? classes.problem : 'dim'} title={line.tool}>
        {words} {say('talkTook', { ms: step.ms })}
      </summary>
      <Json title={say('talkAsked')} text={step.asked} />
      <Json title={say('talkAnswered')} text={step.answered} />
    </details>
  )
}

function stepOf(steps: readonly Step[], { tool, at }: { tool: string; at: number }): Step | undefined {
  return steps.filter((step) => step.tool === tool)[at]
}

function Message({ talk }: { talk: TalkView }) {
  const say = useWords('agents')
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (): void => {
    if (text.trim() === '') return
    talk.say(text.trim())
    setText('')
  }
  return (
    <Form onSubmit={send} className={classes.message}>
      <TextInput
        ref={field}
        aria-label={say('talkMessage')}
        placeholder={say('talkMessage')}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {say('talkSend')}
      </Button>
    </Form>
  )
}
