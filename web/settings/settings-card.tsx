import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { write } from '../data/client.ts'
import { fieldsChangedSince, useDraft } from '../data/drafts.ts'
import { ApiError, sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import type { FieldInfo } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { FieldInput } from '../records/field-input.tsx'
import { changesOf, isWritable, type Values, withoutSecrets } from '../records/record-values.ts'
import { useWords } from '../words/words.ts'
import { CardImpact } from './card-impact.tsx'
import { withLabel } from './field-labels.ts'
import { SecretEntry } from './secret-entry.tsx'
import classes from './settings.module.css'
import { type Card, fieldsNamed, isSecretEntry } from './settings-cards.ts'
import { SETTINGS, type SettingsRow } from './settings-row.ts'

interface Props {
  card: Card
  fields: Record<string, FieldInfo>
  row: SettingsRow
  /** Called when something was saved. */
  onSaved?: () => void
}

type SecretTimes = Record<string, { at: string; by: string | null } | null>

/** Some settings that belong together, saved together; a refusal stands under the field that it names. */
export function SettingsCard({ card, fields, row, onSaved }: Props) {
  const say = useWords('settings')
  const isManager = useIsInOne(GROUP.manager)
  const { edited, problems, changes, set, discard, submit } = useEdits(row, card, onSaved)
  const own = fieldsNamed(card.fields, fields).map((field) => withLabel(field, say))
  const times = (row.secrets_set ?? {}) as SecretTimes
  const isChanged = Object.keys(changes).length > 0
  const needsManager = own.some(isSecretEntry) && !isManager
  return (
    <section className={classes.card} aria-label={say(card.title)}>
      <h2>{say(card.title)}</h2>
      <p className="dim">{say(card.says)}</p>
      {(card.links ?? []).map(({ to, words }) => (
        <p key={to} className={classes.link}>
          <Link to={to}>{say(words)}</Link>
        </p>
      ))}
      {own.length === 0 ? null : (
        <Form className={classes.form} onSubmit={submit} noValidate>
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
          <CardImpact card={card} changes={changes} />
          <p role="alert" className={classes.problem}>
            {problems['']}
          </p>
          <div className={classes.actions}>
            <Button type="submit" disabled={!isChanged}>
              {say('save')}
            </Button>
            {isChanged ? (
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

/** What is typed and not saved yet; an empty secret is none. */
function useEdits(row: SettingsRow, { title, fields: names }: Card, onSaved: (() => void) | undefined) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const [edited = {}, setEdited] = useDraft<Values>({ model: SETTINGS, id: row.id, field: title }, { withoutSecrets })
  const [problems, setProblems] = useState<Record<string, string>>({})
  const given = Object.entries(edited).filter(([name, value]) => !(name.startsWith('display_') && !value))
  const changes = changesOf(row, Object.fromEntries(given))
  const discard = () => {
    setEdited(undefined)
    setProblems({})
  }
  const submit = async (): Promise<void> => {
    try {
      await write(SETTINGS, [row.id], changes)
      setEdited(fieldsChangedSince(edited))
      setProblems({})
      await queries.invalidateQueries({ queryKey: keysOf(SETTINGS) })
      tellDone(say('saved'))
      onSaved?.()
    } catch (error) {
      setProblems(problemsOf(error, names))
    }
  }
  const set = (name: string, value: unknown) => setEdited((before) => ({ ...before, [name]: value }))
  return { edited, problems, changes, set, discard, submit }
}

/** A refusal by the field that it names; of a secret, by the field that it is entered in. */
function problemsOf(error: unknown, names: readonly string[]): Record<string, string> {
  const given = error instanceof ApiError ? error.problems : []
  const named = given.flatMap(({ field, message }) => {
    const name = names.find((each) => each === field || each === `display_${field}`)
    return name === undefined ? [] : [[name, message] as const]
  })
  return { ...Object.fromEntries(named), '': named.length === 0 ? sentenceOf(error) : '' }
}
