import { type RefObject, useEffect } from 'react'
import type { FieldInfo } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { Button, Form } from '../design/press.tsx'
import { isWordedError } from '../words/provider-errors.ts'
import { useWords } from '../words/words.ts'
import { asksInVain } from './callers-hear.ts'
import { AsksInVainNote, CallersHearNote } from './callers-hear-note.tsx'
import { ConflictNotice } from './conflict.tsx'
import { DoubtNote } from './doubt-note.tsx'
import { FieldInput } from './field-input.tsx'
import { HoursNotice } from './hours-notice.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { MadeForFormPlace } from './made-for-form.ts'
import { arePartsOf, rowsOf } from './parts.ts'
import { PartsInput } from './parts-input.tsx'
import { AskUnanswered, ReachNotice } from './reach-notice.tsx'
import { mayWrite } from './record-rights.ts'
import { REMARKS, sectionsOf, type Values } from './record-values.ts'
import classes from './records.module.css'
import { Remarks } from './remarks.tsx'
import { STEP_FIELDS } from './ring-order.ts'
import { RingSteps } from './ring-steps.tsx'
import { NumberOfOthers } from './same-number.tsx'
import { TargetInput } from './target-input.tsx'
import { isTarget, withTarget } from './targets.ts'
import { hasPlace } from './template-content.ts'
import { type FormOf, useRecordForm } from './use-record-form.ts'

const PHONE_USER = 'connect.user'
/** Lists of parts have names of their own. */
const UNNAMED = 'parts'
const SECTIONS = { general: 'general', linked: 'linkedSection', reported: 'reported', record: 'recordSection' } as const

/** A form made from what the service says of the fields; its refusals stand under the field that they name. */
export function RecordForm({ model, label, id, fields, row }: FormOf) {
  const say = useWords('records')
  const form = useRecordForm({ model, label, id, fields, row })
  useFirstField(form.ref, id === undefined)
  const { edited, problems, conflict, isChanged } = form
  const me = useMe()
  const isNew = id === undefined
  const may = (field: FieldInfo) => mayWrite(me, { model, id, row }, field)
  const isAny = Object.values(fields).some(may)
  const hasSteps = model === PHONE_USER
  const maySteps = STEP_FIELDS.every((name) => fields[name] === undefined || may(fields[name]))
  const values: Values = { ...row, ...edited, id }
  // Of a new record nothing is there that is filled in by itself, and nothing is related to it.
  const isShown = (field: FieldInfo) =>
    hasPlace(model, field.name, values) &&
    !(field.name === 'error_message' && isWordedError(values.error_code)) &&
    (!isNew ||
      isTarget(model, field) ||
      arePartsOf(field, values[field.name]) ||
      (may(field) && field.type !== 'one2many'))
  const sections = sectionsOf(fields)
    .map(({ section, fields: all }) => ({ section, fields: all.filter(isShown) }))
    .filter(({ fields: some }) => some.length > 0)
  return (
    <Form ref={form.ref} className={classes.form} onSubmit={form.submit} noValidate>
      {form.hasDraft ? (
        <p className={classes.draft} role="status">
          {say('draftKept')}{' '}
          <Button variant="subtle" size="compact-sm" onClick={form.discard}>
            {say('discard')}
          </Button>
        </p>
      ) : null}
      {conflict === undefined ? null : <ConflictNotice conflict={conflict} onChoose={form.resolve} />}
      <Remarks remarks={row[REMARKS]} />
      <MadeForFormPlace value={form.noting}>
        {sections.map(({ section, fields: shown }, at) => (
          <fieldset key={section} className={classes.section}>
            {at === 0 || section === UNNAMED ? null : (
              <legend>{section in SECTIONS ? say(SECTIONS[section as keyof typeof SECTIONS]) : section}</legend>
            )}
            {withTarget({ model, fields, shown, isFirst: at === 0 })
              .filter(({ name }) => !hasSteps || !STEP_FIELDS.includes(name))
              .map((field) => (
                <FormField
                  key={`${field.name} ${form.round}`}
                  {...{ model, fields, field, values, problems }}
                  stored={row}
                  isWritable={may(field)}
                  onChange={(value) => form.changeAll({ [field.name]: value })}
                  onChangeAll={form.changeAll}
                />
              ))}
            {at === 0 && hasSteps ? (
              <div className={classes.wide}>
                <RingSteps {...{ fields, values, problems }} isWritable={maySteps} onChange={form.changeAll} />
              </div>
            ) : null}
          </fieldset>
        ))}
      </MadeForFormPlace>
      <div className={classes.saving}>
        {isChanged ? <CallersHearNote model={model} stored={row} values={values} /> : null}
        {isNew ? null : <ReachNotice lost={form.lost} />}
        <HoursNotice {...{ model, fields, values, isChanged }} stored={row} />
        <p role="alert" className={classes.problem}>
          {problems['']}
        </p>
        {isAny ? (
          <div className={classes.buttons}>
            <Button type="submit" disabled={!isChanged}>
              {say('save')}
            </Button>
            <Button variant="subtle" disabled={!isChanged && !form.hasMade} onClick={form.discard}>
              {say('discard')}
            </Button>
          </div>
        ) : null}
      </div>
      <AskUnanswered lost={form.unanswered} onSave={form.saveAnyway} onClose={form.keepAnswer} />
      <LeaveDialog isAsking={form.isLeaving} onLeave={form.leave} onStay={form.stay} />
    </Form>
  )
}

/** Who makes a record begins to type at once, where its first field is a text; a picker would open, and a finger call the keyboard up. */
function useFirstField(form: RefObject<HTMLFormElement | null>, isNew: boolean): void {
  useEffect(() => {
    if (!isNew || window.matchMedia('(pointer: coarse)').matches) return
    const first = form.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea')
    if (first?.role !== 'combobox') first?.focus({ preventScroll: true })
  }, [form, isNew])
}

interface FieldProps {
  model: string
  fields: Record<string, FieldInfo>
  field: FieldInfo
  /** The record with what is typed, and as it is stored. */
  values: Values
  stored: Values
  isWritable: boolean
  problems: Readonly<Record<string, string>>
  onChange: (value: unknown) => void
  onChangeAll: (values: Values) => void
}

/** One field of a form, or the parts of the record; what calls lead to is chosen in one field. */
function FormField({ model, fields, field, values, stored, problems, onChangeAll, ...props }: FieldProps) {
  if (isTarget(model, field)) {
    return (
      <TargetInput
        {...{ model, fields, values, stored, problems }}
        isWritable={props.isWritable}
        onChange={onChangeAll}
      />
    )
  }
  const value = values[field.name]
  if (!arePartsOf(field, value)) {
    const below = (
      <>
        <NumberOfOthers model={model} id={values.id} name={field.name} value={value} />
        <DoubtNote model={model} field={field} value={value} />
        {asksInVain(model, field.name, values) ? <AsksInVainNote /> : null}
      </>
    )
    return <FieldInput {...props} {...{ field, value, below }} problem={problems[field.name]} record={values} />
  }
  return (
    <div className={classes.wide} data-field={field.name}>
      <PartsInput {...props} field={field} rows={rowsOf(value)} whole={values} problems={problems} />
    </div>
  )
}
