import { Checkbox, Modal, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { LinkPicker } from '../records/link-picker.tsx'
import { plain } from '../words/formats.ts'
import { TOOL, useToolWords } from '../words/tool-words.ts'
import { useWords } from '../words/words.ts'
import classes from './talk.module.css'
import { Json } from './talk-json.tsx'

const PARAMETER = 'connect.agent_tool_params'
/** What the call itself gives. */
const OF_CALL: readonly (string | null)[] = ['call_id', 'channel_sid']
const SUCCESS_BELOW = 300

type Typed = Readonly<Record<string, string | boolean>>
type Tried = Awaited<ReturnType<typeof tryTool>>
interface Parameter {
  id: number
  name: string | null
  data_type: string | null
  required: boolean
  description: string | null
  constant_value: string | null
}

function tryTool(id: number, sent: { arguments: Record<string, unknown>; call: number | null; commit: boolean }) {
  return call(TOOL, 'try', { ids: [id], ...sent })
}

/** Uses a tool as an agent would; nothing of what it does is kept unless it is for real. */
export function ToolTry({ tool, onClose }: { tool: { id: number; name: string | null }; onClose: () => void }) {
  const say = useWords('agents')
  const tools = useToolWords()
  const { data: parameters = [] } = useQuery(
    listQuery(PARAMETER, {
      domain: [['tool', '=', tool.id]],
      fields: ['name', 'data_type', 'required', 'description', 'value_type', 'dynamic_variable', 'constant_value'],
      order: 'id',
    }),
  )
  const [typed, setTyped] = useState<Typed>({})
  const [inCall, setInCall] = useState<unknown>(null)
  const [isReal, setReal] = useState(false)
  const [tried, setTried] = useState<Tried>()
  // What is the same with each use is nobody's to type, nor is what the call brings along.
  const shown = parameters.filter(
    ({ value_type: source, name, dynamic_variable: variable }) =>
      source !== 'constant_value' && !OF_CALL.includes(source === 'dynamic_variable' ? variable || name : name),
  )
  const constants = parameters.filter(({ value_type: source }) => source === 'constant_value')
  const start = async (): Promise<void> => {
    setTried(undefined)
    const sent = {
      arguments: argumentsOf([...constants, ...shown], typed),
      call: Array.isArray(inCall) ? Number(inCall[0]) : null,
    }
    await tryTool(tool.id, { ...sent, commit: isReal }).then(setTried, tellRefusal)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={say('tryTitle', { name: tools(tool.name ?? '') })}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <Form onSubmit={start} className={classes.form}>
        {shown.map((parameter) => (
          <ParameterInput
            key={parameter.id}
            parameter={parameter}
            value={typed[parameter.name ?? '']}
            onChange={(value) => setTyped((before) => ({ ...before, [parameter.name ?? '']: value }))}
          />
        ))}
        {constants.length === 0 ? null : (
          <p className="dim">{say('tryConstants', { names: constants.map(({ name }) => name).join(', ') })}</p>
        )}
        <LinkPicker
          label={say('tryCall')}
          placeholder={say('tryNoCall')}
          model="connect.call"
          value={inCall}
          onChange={setInCall}
        />
        <Switch
          label={say('tryReal')}
          description={say('tryRealSays')}
          checked={isReal}
          onChange={({ currentTarget: { checked } }) => setReal(checked)}
        />
        <div>
          <Button type="submit">{say(isReal ? 'tryForReal' : 'try')}</Button>
        </div>
        {tried === undefined ? null : <Result tried={tried} />}
      </Form>
    </Modal>
  )
}

function ParameterInput({
  parameter: { name, data_type: type, required, description },
  value,
  onChange,
}: {
  parameter: Parameter
  value: string | boolean | undefined
  onChange: (value: string | boolean) => void
}) {
  const label = plain(name ?? '')
  const hint = description === null ? undefined : plain(description)
  if (type === 'boolean') {
    return (
      <Checkbox
        label={label}
        description={hint}
        checked={value === true}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
    )
  }
  return (
    <TextInput
      label={label}
      description={hint}
      withAsterisk={required}
      inputMode={type === 'integer' ? 'numeric' : 'text'}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget: { value: text } }) => onChange(text)}
    />
  )
}

function Result({ tried: { status, body, ms, is_kept: isKept } }: { tried: Tried }) {
  const say = useWords('agents')
  const isDone = status < SUCCESS_BELOW
  return (
    <section aria-label={say('tryResult')} className={classes.about}>
      <p role="status" className={isDone ? undefined : classes.problem}>
        {say(isDone ? 'tryDone' : 'tryRefused', { ms, status })} {say(isKept ? 'tryKept' : 'tryNotKept')}
      </p>
      <Json title={say('talkAnswered')} text={body} />
    </section>
  )
}

/** What is typed, as the agent would send it; what is empty is not sent, as an agent leaves out what it does not know. */
function argumentsOf(parameters: readonly Parameter[], typed: Typed): Record<string, unknown> {
  const given = parameters.flatMap(({ name, data_type: type, constant_value: constant }) => {
    const value = constant ?? typed[name ?? '']
    return name === null || value === undefined || value === '' ? [] : [[name, asType(type, value)]]
  })
  return Object.fromEntries(given)
}

/** What is no number goes on as it is, to be refused. */
function asType(type: string | null, value: string | boolean): unknown {
  if (type === 'boolean') return value === true || value === 'true'
  return type === 'integer' && /^\s*-?\d+\s*$/.test(String(value)) ? Number(value) : value
}
