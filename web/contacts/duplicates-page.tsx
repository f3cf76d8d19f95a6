import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { listQuery, throwsInstead } from '../data/queries.ts'
import { mayDo, useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { nameOrId, phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './contact.module.css'
import type { DuplicatesSearch } from './duplicates-search.ts'
import { MergeForm } from './merge-form.tsx'

const GROUPS_MAX = 100

/** Contacts that may be the same person, and two of them side by side. */
export function DuplicatesPage() {
  const say = useWords('contacts')
  const { keep, other } = useSearch({ strict: false }) as DuplicatesSearch
  const navigate = useNavigate()
  const mayMerge = mayDo(useMe(), 'res.partner', 'w')
  const { data: groups, isPending } = useQuery(
    asks({
      queryKey: keyOf('res.partner', 'duplicates'),
      queryFn: () => call('res.partner', 'duplicates', { limit: GROUPS_MAX }),
      throwOnError: throwsInstead,
    }),
  )
  const ids = [...new Set(groups?.flatMap((group) => group.ids) ?? [])]
  const { data: contacts = [], isFetching } = useQuery({
    ...listQuery('res.partner', { domain: [['id', 'in', ids]], fields: ['name'], limit: ids.length }),
    enabled: ids.length > 0,
  })
  const nameOf = (id: number) => nameOrId(plain(contacts.find((each) => each.id === id)?.name ?? ''), id, isFetching)
  const open = (pair: DuplicatesSearch) => void navigate({ to: '/contacts/duplicates', search: pair as never })
  return (
    <>
      <PageHead title={say('duplicates')}>
        <Link to="/contacts">{say('title')}</Link>
      </PageHead>
      <div className={classes.duplicates}>
        {keep !== undefined && other !== undefined && mayMerge ? (
          <MergeForm
            key={`${keep} ${other}`}
            keep={keep}
            other={other}
            onSwap={() => open({ keep: other, other: keep })}
          />
        ) : null}
        {groups?.length === 0 && !isPending ? <EmptyState title={say('noDuplicates')} /> : null}
        <ul className={classes.groups}>
          {groups?.map(({ reason, value, ids: [first = 0, ...others] }) => (
            <li key={`${reason} ${value}`} className={classes.group}>
              <span className="number dim">{reason === 'number' ? phone(value) : plain(value)}</span>
              <Link to={`/contacts/${first}`}>{nameOf(first)}</Link>
              {others.map((each) => (
                <span key={each}>
                  <Link to={`/contacts/${each}`}>{nameOf(each)}</Link>{' '}
                  {mayMerge ? (
                    <Button variant="subtle" size="compact-sm" onClick={() => open({ keep: first, other: each })}>
                      {say('compare')}
                    </Button>
                  ) : null}
                </span>
              ))}
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
