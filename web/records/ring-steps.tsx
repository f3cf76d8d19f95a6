import { Plus } from 'lucide-react'
import { useRef } from 'react'
import type { FieldInfo } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { FieldInput } from './field-input.tsx'
import type { Fields } from './fields.ts'
import classes from './parts.module.css'
import { PartsTable } from './parts-table.tsx'
import type { Values } from './record-values.ts'
import { movedSteps, RING_STEPS, type RingStep, stepsOf } from './ring-order.ts'
import { RowActions } from './row-actions.tsx'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

interface Props {
  fields: Fields
  /** The phone user with what is typed. */
  values: Values
  isWritable: boolean
  problems: Readonly<Record<string, string>>
  onChange: (values: Values) => void
}

/** What rings when somebody is called, in its order: the phones of a phone user, and the voicemail at the end. */
export function RingSteps({ fields, values, isWritable, problems, onChange }: Props) {
  const say = useWords('records')
  const ref = useRef<HTMLFieldSetElement>(null)
  const steps = stepsOf(values).filter(({ enabled }) => enabled in fields)
  const nameOf = ({ enabled }: RingStep) => fields[enabled]?.string ?? ''
  const lines = steps.map((step, at) => ({
    key: step.enabled,
    name: nameOf(step),
    problem: [step.enabled, step.priority].map((name) => problems[name ?? '']).find((each) => each !== undefined),
    cells: [
      <div key="step" className={classes.step}>
        {nameOf(step)}
        <Cell field={fields[step.number ?? '']} {...{ values, isWritable, problems, onChange }} />
      </div>,
      <Cell key="seconds" field={fields[step.seconds ?? '']} {...{ values, isWritable, problems, onChange }} />,
    ],
    actions: isWritable ? (
      <RowActions
        name={nameOf(step)}
        up={movedSteps(steps, at, -1)}
        down={movedSteps(steps, at, 1)}
        onMove={onChange}
        onRemove={() => {
          onChange({ [step.enabled]: false })
          ref.current?.querySelector<HTMLElement>('[data-add]')?.focus()
        }}
      />
    ) : null,
  }))
  const missing = RING_STEPS.filter(({ enabled }) => enabled in fields && values[enabled] !== true)
  return (
    <PartsTable
      ref={ref}
      label={say('ringSteps')}
      heads={[{ label: say('ringStep') }, { label: say('ringSeconds') }]}
      lines={lines}
    >
      {isWritable ? (
        <div className={classes.adds} data-add tabIndex={-1}>
          {missing.map((step) => (
            <Button
              key={step.enabled}
              variant="default"
              size="compact-sm"
              leftSection={<Plus {...ICON} />}
              onClick={() => onChange(addedOf(step, steps))}
            >
              {say('addRingStep', { step: nameOf(step) })}
            </Button>
          ))}
        </div>
      ) : null}
    </PartsTable>
  )
}

/** A step that is added rings after those that are there. */
function addedOf(step: RingStep, steps: readonly RingStep[]): Values {
  const order = movedSteps([...steps.filter(({ priority }) => priority !== undefined), step], 0, 0)
  return { ...(step.priority === undefined ? {} : order), [step.enabled]: true }
}

function Cell({
  field,
  values,
  isWritable,
  problems,
  onChange,
}: Omit<Props, 'fields'> & { field: FieldInfo | undefined }) {
  if (field === undefined) return null
  return (
    <FieldInput
      isCell
      field={field}
      value={values[field.name]}
      isWritable={isWritable}
      problem={problems[field.name]}
      onChange={(value) => onChange({ [field.name]: value })}
    />
  )
}
