import { Group, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { callByName, onSignedOut } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { labelOf } from '../words/labels.ts'
import { helpOf } from '../words/server-words.ts'
import { formats, useWords } from '../words/words.ts'
import { FieldInput } from './field-input.tsx'
import { argumentFields, filledIn, type MethodInfo, takesUnsaved } from './method-arguments.ts'
import { type Values, withoutSecrets } from './record-values.ts'
import classes from './records.module.css'

interface Props {
  model: string
  name: string
  method: MethodInfo
  /** The records that it is done with; undefined while they are counted. */
  ids: readonly number[] | undefined
  /** What is typed in the form of the record and not saved. */
  unsaved?: Values | undefined
  onClose: () => void
  onDone: (answer: unknown) => void
}

/** Methods that try something and change nothing. */
const TRIES = ['rehearse', 'preview']

/** Asks for what a method needs, and says with how many records it is done before it is. */
export function MethodDialog({ model, name, method, ids, unsaved, onClose, onDone }: Props) {
  const say = useWords('records')
  const tried = takesUnsaved(method) && unsaved !== undefined ? { unsaved } : {}
  const fields = argumentFields(method, labelOf).map((field) => ({ ...field, help: field.help && helpOf(field.help) }))
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({})
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  useEffect(() => onSignedOut(() => setValues((before) => withoutSecrets(before) ?? {})), [])
  const label = labelOf(method.label, `${model}.${name}`)
  const asked = fields.length > 0 ? label : say('methodQuestion', { label })
  const question = method.confirm === undefined ? asked : helpOf(method.confirm)
  const isFilled = fields.every(
    ({ name: field, required }) => !required || filledIn(values, method)[field] !== undefined,
  )
  const submit = async (): Promise<void> => {
    if (ids === undefined || ids.length === 0 || !isFilled) return
    try {
      onDone(await callByName(model, name, { ids, ...filledIn(values, method), ...tried }))
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Modal opened onClose={onClose} title={question} withCloseButton={false}>
      <Form className={classes.arguments} onSubmit={submit} noValidate>
        <p role="status">
          <Extent ids={ids} isForGood={method.danger === true} />
          {'unsaved' in tried ? say('unsavedTried') : null}
        </p>
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name]}
            isWritable
            problem={undefined}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
        <Group gap={8}>
          <Button
            type="submit"
            color={method.danger === true ? 'danger' : undefined}
            disabled={ids === undefined || ids.length === 0 || !isFilled}
          >
            {TRIES.includes(name) ? say('tryIt') : label}
          </Button>
          <Button variant="subtle" data-autofocus={isAskedFirst(method, fields) || undefined} onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}

/** With how many records it is done, and whether that can be undone. */
function Extent({ ids, isForGood }: { ids: readonly number[] | undefined; isForGood: boolean }) {
  const say = useWords('records')
  return (
    <>
      {ids === undefined ? say('counting') : null}
      {ids === undefined || ids.length === 1
        ? null
        : `${say('methodTouches', { count: ids.length, shown: formats.count(ids.length) })}.`}
      {isForGood ? ` ${say('methodForGood')}` : ''}
    </>
  )
}

/** It cannot be undone, and nothing is filled in before: the keyboard is on the way back. */
function isAskedFirst({ danger }: MethodInfo, fields: readonly unknown[]): boolean {
  return danger === true && fields.length === 0
}
