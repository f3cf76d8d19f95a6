import type { FieldInfo } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { Button, Form } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { ConflictNotice } from './conflict.tsx'
import { FieldInput } from './field-input.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { AskUnanswered, ReachNotice } from './reach-notice.tsx'
import { mayWrite } from './record-rights.ts'
import { REMARKS, sectionsOf } from './record-values.ts'
import classes from './records.module.css'
import { Remarks } from './remarks.tsx'
import { SameNumbers } from './same-number.tsx'
import { type FormOf, useRecordForm } from './use-record-form.ts'

/** Lists of parts have names of their own. */
const UNNAMED = 'parts'
const SECTIONS = { general: 'general', linked: 'linkedSection', reported: 'reported', record: 'recordSection' } as const

/** A form made from what the service says of the fields; its refusals stand under the field that they name. */
export function RecordForm({ model, label, id, fields, row }: FormOf) {
  const say = useWords('records')
  const form = useRecordForm({ model, label, id, fields, row })
  const { edited, problems, conflict, isChanged } = form
  const me = useMe()
  const isNew = id === undefined
  const may = (field: FieldInfo) => mayWrite(me, { model, id, row }, field)
  const isAny = Object.values(fields).some(may)
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
      {sectionsOf(fields).map(({ section, fields: shown }, at) => (
        <fieldset key={section} className={classes.section}>
          {at === 0 || section === UNNAMED ? null : (
            <legend>{section in SECTIONS ? say(SECTIONS[section as keyof typeof SECTIONS]) : section}</legend>
          )}
          {shown.map((field) => (
            <FieldInput
              key={`${field.name} ${form.round}`}
              field={field}
              value={field.name in edited ? edited[field.name] : row[field.name]}
              isWritable={may(field)}
              problem={problems[field.name]}
              record={{ ...row, ...edited, id }}
              onChange={(value) => form.change(field.name, value)}
            />
          ))}
        </fieldset>
      ))}
      {model === 'res.partner' ? <SameNumbers id={id} edited={edited} /> : null}
      {isNew ? null : <ReachNotice model={model} row={row} lost={form.lost} isChanged={isChanged} />}
      <p role="alert" className={classes.problem}>
        {problems['']}
      </p>
      {isAny ? (
        <div className={classes.buttons}>
          <Button type="submit" disabled={!isChanged}>
            {say('save')}
          </Button>
          <Button variant="subtle" disabled={!isChanged} onClick={form.discard}>
            {say('discard')}
          </Button>
        </div>
      ) : null}
      <AskUnanswered lost={form.unanswered} onSave={form.saveAnyway} onClose={form.keepAnswer} />
      <LeaveDialog isAsking={form.isLeaving} onLeave={form.leave} onStay={form.stay} />
    </Form>
  )
}
