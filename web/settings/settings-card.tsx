import { Link } from '@tanstack/react-router'
import type { FieldInfo } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { Button, Form } from '../design/press.tsx'
import { ConflictNotice } from '../records/conflict.tsx'
import { FieldInput } from '../records/field-input.tsx'
import { isWritable } from '../records/record-values.ts'
import { useWords } from '../words/words.ts'
import { CardImpact } from './card-impact.tsx'
import { withLabel } from './field-labels.ts'
import { KeyHelp } from './key-help.tsx'
import { SecretEntry } from './secret-entry.tsx'
import classes from './settings.module.css'
import { type Card, fieldsNamed, isSecretEntry } from './settings-cards.ts'
import type { SettingsRow } from './settings-row.ts'
import { useAskShorter } from './shorter-keeping.tsx'
import { useCardEdits } from './use-card-edits.ts'

interface Props {
  card: Card
  fields: Record<string, FieldInfo>
  row: SettingsRow
  /** Called when something was saved. */
  onSaved?: () => void
}

type SecretTimes = Record<string, { at: string; by: string | null } | null>

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Some settings that belong together, saved together; a refusal stands under the field that it names. */
export function SettingsCard({ card, fields, row, onSaved }: Props) {
  const say = useWords('settings')
  const isManager = useIsInOne(GROUP.manager)
  const { edited, problems, changes, conflict, isTyped, set, discard, submit, resolve } = useCardEdits({
    row,
    card,
    fields,
    onSaved,
  })
  const says = say(card.says)
  const own = fieldsNamed(card.fields, fields)
    .filter((field) => isWritable(field, false) || isSecretEntry(field) || !isEmpty(row[field.name]))
    .map((field) => withLabel(field, say))
    // The card has said it.
    .map((field) => (field.help === says ? { ...field, help: null } : field))
  const times = (row.secrets_set ?? {}) as SecretTimes
  const isChanged = Object.keys(changes).length > 0
  const mayWrite = own.some((field) => (isSecretEntry(field) ? isManager : isWritable(field, false)))
  const asking = useAskShorter({ before: row, changes, submit })
  const needsManager = own.some(isSecretEntry) && !isManager
  return (
    <section className={classes.card} aria-label={say(card.title)}>
      <h2>{say(card.title)}</h2>
      <p className="dim">{says}</p>
      <KeyHelp card={card.title} />
      {(card.links ?? []).map(({ to, words }) => (
        <p key={to} className={classes.link}>
          <Link to={to}>{say(words)}</Link>
        </p>
      ))}
      {own.length === 0 ? null : (
        <Form className={classes.form} onSubmit={asking.submit} noValidate>
          {own.map((field) =>
            isSecretEntry(field) ? (
              <SecretEntry
                key={field.name}
                field={field}
                isSet={row[field.name] !== null}
                set={times[field.name.replace('display_', '')]}
                isWritable={isManager}
                value={edited[field.name]}
                problem={problems[field.name]}
                onChange={(secret) => set(field.name, secret)}
              />
            ) : (
              <FieldInput
                key={field.name}
                field={field}
                value={field.name in edited ? edited[field.name] : row[field.name]}
                isWritable={isWritable(field, false)}
                problem={problems[field.name]}
                onChange={(next) => set(field.name, next)}
              />
            ),
          )}
          {conflict === undefined ? null : <ConflictNotice conflict={conflict} onChoose={resolve} />}
          <CardImpact card={card} changes={changes} />
          {asking.question}
          <p role="alert" className={classes.problem}>
            {problems['']}
          </p>
          <div className={classes.actions}>
            {mayWrite ? (
              <Button type="submit" disabled={!isChanged}>
                {say('save')}
              </Button>
            ) : null}
            {isTyped ? (
              <Button variant="subtle" onClick={discard}>
                {say('discard')}
              </Button>
            ) : null}
            {needsManager ? <span className="dim">{say('managersOnly')}</span> : null}
          </div>
        </Form>
      )}
    </section>
  )
}
