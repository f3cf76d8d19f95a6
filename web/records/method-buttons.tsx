import { Menu, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callByName, onSignedOut } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { useMe } from '../data/session.ts'
import { later } from '../design/later.tsx'
import { MenuItem } from '../design/menu-item.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { labelOf } from '../words/labels.ts'
import { loadWords, useWords } from '../words/words.ts'
import { type Fields, methodsQuery } from './fields.ts'
import { useUnsaved } from './form-draft.ts'
import { JsonText } from './json-text.tsx'
import type { MethodInfo } from './method-arguments.ts'
import { MethodDialog } from './method-dialog.tsx'
import { mayCall } from './record-rights.ts'
import type { Values } from './record-values.ts'
import classes from './records.module.css'
import { isTriedCall, TriedCallText } from './tried-call.tsx'

interface Asked {
  name: string
  method: MethodInfo
}

interface Props {
  model: string
  id: number
  fields: Fields
  row: Values
}

/** What can be done with a record beside changing it: the methods of its model, with a form where they ask for something. */
export function MethodButtons({ model, id, fields, row }: Props) {
  const say = useWords('records')
  const unsaved = useUnsaved({ model, id, fields, row })
  const { data: methods = {} } = useQuery(methodsQuery(model))
  const [asked, setAsked] = useState<Asked>()
  const [running, setRunning] = useState<string>()
  const { answer, done, forget } = useMethodAnswer(model)
  const me = useMe()
  const allowed = Object.entries(methods).flatMap(([name, method]) =>
    mayCall(me, { model, id, row }, name, method) ? [{ name, method }] : [],
  )
  const plain = allowed.filter(({ method }) => !hasArguments(method))
  const asking = allowed.filter(({ method }) => hasArguments(method))
  const run = async ({ name, method }: Asked): Promise<void> => {
    setRunning(name)
    try {
      done(method, await callByName(model, name, { ids: [id] }))
    } catch (error) {
      tellRefusal(error)
    }
    setRunning(undefined)
  }
  const press = (each: Asked) => (isQuestion(each.method) ? setAsked(each) : run(each))
  return (
    <>
      {plain.map(({ name, method }) => (
        <Button
          key={name}
          data-method={name}
          variant="default"
          color={method.danger === true ? 'danger' : undefined}
          loading={running === name}
          disabled={running !== undefined}
          onClick={() => press({ name, method })}
        >
          {labelOf(method.label, `${model}.${name}`)}
        </Button>
      ))}
      {asking.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default">{say('moreMethods')} ▾</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {asking.map((each) => (
              <MenuItem key={each.name} data-method={each.name} onClick={() => setAsked(each)}>
                {labelOf(each.method.label, `${model}.${each.name}`)} …
              </MenuItem>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {asked === undefined ? null : (
        <MethodDialog
          model={model}
          {...asked}
          ids={[id]}
          unsaved={unsaved}
          onClose={() => setAsked(undefined)}
          onDone={(told) => {
            setAsked(undefined)
            done(asked.method, told)
          }}
        />
      )}
      <MethodAnswer answer={answer} onClose={forget} />
    </>
  )
}

export function hasArguments({ arguments: args }: MethodInfo): boolean {
  return Object.keys(args.properties ?? {}).length > 0
}

/** Whether it is asked about before it is done. */
function isQuestion({ confirm, danger }: MethodInfo): boolean {
  return confirm !== undefined || danger === true
}

/** What a method answered, shown where it is more than that it was done; what was read of the model is old then. */
export function useMethodAnswer(model: string) {
  const say = useWords('records')
  const queries = useQueryClient()
  const [answer, setAnswer] = useState<unknown>()
  // It may be a key or a link that is shown this once.
  useEffect(() => onSignedOut(() => setAnswer(undefined)), [])
  const done = (method: MethodInfo, told: unknown): void => {
    if (typeof told === 'object' && told !== null) setAnswer(told)
    else tellDone(say('doneMethod', { label: labelOf(method.label) }))
    void queries.invalidateQueries({ queryKey: keysOf(model) })
  }
  return { answer, done, forget: () => setAnswer(undefined) }
}

/** A sync is shown as in the settings, whose words and code come when one was begun. */
const { Later: BegunRun } = later(
  async () => {
    const [{ BegunRun: Loaded }] = await Promise.all([import('./begun-run.tsx'), loadWords('settings')])
    return Loaded
  },
  () => true,
)

/** Whether a button began a sync, of which it answers the id alone. */
function isBegunRun(answer: unknown): answer is { run_id: number } {
  return typeof answer === 'object' && answer !== null && 'run_id' in answer && typeof answer.run_id === 'number'
}

export function MethodAnswer({ answer, onClose }: { answer: unknown; onClose: () => void }) {
  const say = useWords('records')
  return (
    <Modal
      opened={answer !== undefined}
      onClose={onClose}
      title={say('answered')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      {isBegunRun(answer) ? <BegunRun id={answer.run_id} /> : <AnswerText answer={answer} />}
    </Modal>
  )
}

function AnswerText({ answer }: { answer: unknown }) {
  const say = useWords('records')
  return (
    <>
      {isTriedCall(answer) ? <TriedCallText call={answer} /> : <JsonText value={answer} />}
      <details>
        <summary>{say('rawAnswer')}</summary>
        <pre className={classes.answer}>{JSON.stringify(answer, null, 2)}</pre>
      </details>
    </>
  )
}
