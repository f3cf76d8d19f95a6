import { Group, Modal } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Row } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { phone, plain } from '../words/formats.ts'
import { languageName } from '../words/languages.ts'
import { reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import classes from './contact.module.css'
import { numberOf } from './contact-number.ts'

const FIELDS = ['name', 'phone', 'mobile', 'email', 'parent_id', 'country_id', 'lang', 'tz', 'comment'] as const
const LABELS = {
  name: 'name',
  phone: 'phone',
  mobile: 'mobile',
  email: 'email',
  parent_id: 'company',
  country_id: 'country',
  lang: 'language',
  tz: 'zone',
  comment: 'notes',
} as const
type Field = (typeof FIELDS)[number]
const READ = [...FIELDS, 'phone_normalized', 'mobile_normalized'] as const
type Contact = Row<'res.partner', (typeof READ)[number]> & { id: number }

interface Props {
  /** The contact that stays. */
  keep: number
  other: number
  onSwap: () => void
}

/** Two contacts side by side: which values stay, and then one of them is left. */
export function MergeForm({ keep, other, onSwap }: Props) {
  const say = useWords('contacts')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [chosen, setChosen] = useState<Partial<Record<Field, number>>>({})
  const { data } = useSuspenseQuery(
    listQuery('res.partner', { domain: [['id', 'in', [keep, other]]], fields: READ, limit: 2 }),
  )
  const [kept, merged] = [keep, other].map((id) => data.find((contact) => contact.id === id)) as (Contact | undefined)[]
  if (kept === undefined || merged === undefined) return <EmptyState title={say('gone')} />
  const shown = FIELDS.filter((field) => textOf(kept, field) !== textOf(merged, field))
  const idOf = (field: Field) => chosen[field] ?? (textOf(kept, field) === '' ? other : keep)
  const merge = async (): Promise<void> => {
    try {
      const fields = Object.fromEntries(
        shown.filter((field) => field !== 'comment').map((field) => [field, idOf(field)]),
      )
      await call('res.partner', 'merge', { keep, others: [other], fields })
      tellDone(say('merged', { name: plain(kept.name ?? '') }))
      await queries.invalidateQueries()
      await navigate({ to: '/contacts/$id', params: { id: String(keep) } })
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <section className={classes.merging} aria-label={say('merge')}>
      <table className={classes.pair}>
        <thead>
          <tr>
            <td />
            <th scope="col">{say('staying', { name: plain(kept.name ?? '') })}</th>
            <th scope="col">{plain(merged.name ?? '')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((field) => (
            <tr key={field}>
              <th scope="row">{say(LABELS[field])}</th>
              {[kept, merged].map((contact) => (
                <td key={contact.id}>
                  {field === 'comment' ? (
                    textOf(contact, field)
                  ) : (
                    <label>
                      <input
                        type="radio"
                        name={field}
                        checked={idOf(field) === contact.id}
                        onChange={() => setChosen({ ...chosen, [field]: contact.id })}
                      />{' '}
                      {textOf(contact, field) || '–'}
                    </label>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="dim">{say('mergeDetail')}</p>
      <Group gap={8}>
        <Button onClick={() => setAsking(true)}>{say('mergeThem')} …</Button>
        <Button variant="subtle" onClick={onSwap}>
          {say('swap', { name: plain(merged.name ?? '') })}
        </Button>
      </Group>
      {isAsking ? <MergeQuestion kept={kept} merged={merged} onMerge={merge} onClose={() => setAsking(false)} /> : null}
    </section>
  )
}

interface Question {
  kept: Contact
  merged: Contact
  onMerge: () => Promise<void>
  onClose: () => void
}

/** What moves and what is deleted, before it cannot be undone. */
function MergeQuestion({ kept, merged, onMerge, onClose }: Question) {
  const say = useWords('contacts')
  const [name, other] = [kept, merged].map((contact) => plain(contact.name ?? ''))
  return (
    <Modal opened onClose={onClose} title={say('mergeQuestion', { name, other })} withCloseButton={false}>
      <div className={classes.consequences}>
        <p>{say('mergeMoves', { name })}</p>
        <p>{say('mergeDeletes', { other })}</p>
      </div>
      <Group mt={16} gap={8}>
        <Button onClick={() => onMerge()}>{say('mergeThem')}</Button>
        <Button variant="subtle" data-autofocus onClick={onClose}>
          {say('cancel')}
        </Button>
      </Group>
    </Modal>
  )
}

function textOf(contact: Contact, field: Field): string {
  const value = contact[field]
  if (value === null) return ''
  if (Array.isArray(value)) return plain(value[1])
  switch (field) {
    case 'phone':
    case 'mobile':
      return phone(numberOf(contact, field))
    case 'lang':
      return languageName(value, reader().language)
    case 'tz':
      return zoneName(value, reader().language)
    default:
      return plain(value)
  }
}
