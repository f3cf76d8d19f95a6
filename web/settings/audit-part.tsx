import { Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Domain } from '../data/client.ts'
import { pagesQuery, throwsInstead } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { modelsQuery } from '../records/model-list.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import { AUDIT_FIELDS, AuditEntry, DEEDS } from './audit-entry.tsx'
import { useAuditWords } from './audit-words.ts'
import classes from './settings.module.css'

/** Whatever is done with a record beside these is a method of its model. */
const OTHER = 'other'

interface AuditSearch {
  kind?: string | undefined
  done?: string | undefined
}

/** Who changed what, newest first; the filters stand in the address. */
export function AuditPart() {
  const say = useWords('settings')
  const navigate = useNavigate()
  const search = readSearch(useSearch({ strict: false }))
  const pages = useInfiniteQuery({
    ...pagesQuery('connect.audit', { domain: domainOf(search), fields: AUDIT_FIELDS }),
    throwOnError: throwsInstead,
  })
  const entries = pages.data?.pages.flat() ?? []
  const words = useAuditWords(entries)
  const { data: models = [] } = useQuery(modelsQuery)
  const kinds = models.map(({ name, label }) => ({ value: name, label: labelOf(label, name) }))
  const change = (part: AuditSearch) =>
    void navigate({ to: '.', search: { ...search, ...part } as never, replace: true })
  return (
    <section className={classes.card} aria-label={say('audit')}>
      <p className="dim">{say('auditSays')}</p>
      <div className={classes.form}>
        <Select
          label={say('auditKind')}
          placeholder={say('auditAny')}
          data={kinds.toSorted((one, other) => one.label.localeCompare(other.label))}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': say('auditAny') }}
          value={search.kind ?? null}
          onChange={(kind) => change({ kind: kind ?? undefined })}
        />
        <Select
          label={say('auditDone')}
          placeholder={say('auditAny')}
          data={[
            ...Object.entries(DEEDS).map(([value, key]) => ({ value, label: say(key) })),
            { value: OTHER, label: say('auditOther') },
          ]}
          clearable
          clearButtonProps={{ 'aria-label': say('auditAny') }}
          value={search.done ?? null}
          onChange={(done) => change({ done: done ?? undefined })}
        />
      </div>
      {pages.isSuccess && entries.length === 0 ? <p>{say('noAudit')}</p> : null}
      <ul className={classes.rows}>
        {entries.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} words={words} />
        ))}
      </ul>
      {pages.hasNextPage ? (
        <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {say('auditOlder')}
        </Button>
      ) : null}
    </section>
  )
}

function readSearch({ kind, done }: Record<string, unknown>): AuditSearch {
  return {
    kind: typeof kind === 'string' ? kind : undefined,
    done: typeof done === 'string' && (done === OTHER || Object.hasOwn(DEEDS, done)) ? done : undefined,
  }
}

function domainOf({ kind, done }: AuditSearch): Domain {
  const ofKind: Domain = kind === undefined ? [] : [['model', '=', kind]]
  if (done === undefined) return ofKind
  return [...ofKind, done === OTHER ? ['what', 'not in', Object.keys(DEEDS)] : ['what', '=', done]]
}
