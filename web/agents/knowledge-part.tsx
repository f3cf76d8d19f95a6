import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, unlink, write } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { findingOf } from '../words/server-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './knowledge.module.css'
import { KnowledgeDialog } from './knowledge-dialog.tsx'
import { KnowledgeRemoval } from './knowledge-removal.tsx'
import { KNOWLEDGE, KNOWN_FIELDS, type Known, nameOf } from './knowledge-rows.ts'
import { QuestionsPart } from './questions-part.tsx'

const SHOWN_MAX = 200
const CRAWLING = ['queued', 'processing']

/** What an agent knows, and what it was asked and could not answer. */
export function KnowledgePart({ agent, mayWrite }: { agent: number; mayWrite: boolean }) {
  const say = useWords('knowledge')
  const [edited, setEdited] = useState<Known | 'new'>()
  const [leaving, setLeaving] = useState<Known>()
  const { data: known } = useQuery(
    listQuery(KNOWLEDGE, {
      domain: [['agents', 'in', [agent]]],
      fields: KNOWN_FIELDS,
      order: 'name',
      limit: SHOWN_MAX,
    }),
  )
  return (
    <section className={classes.card} aria-label={say('title')}>
      <div className={classes.head}>
        <h2>{say('title')}</h2>
        {mayWrite ? (
          <Button variant="default" size="compact-sm" onClick={() => setEdited('new')}>
            {say('add')}
          </Button>
        ) : null}
      </div>
      {known?.length === 0 ? <p className="dim">{say('empty')}</p> : null}
      <ul className={classes.rows}>
        {(known ?? []).map((each) => (
          <KnownRow
            key={each.id}
            known={each}
            mayWrite={mayWrite}
            onEdit={() => setEdited(each)}
            onRemove={() => setLeaving(each)}
          />
        ))}
      </ul>
      <QuestionsPart agent={agent} mayAnswer={mayWrite} />
      {edited === undefined ? null : (
        <KnowledgeDialog
          agent={agent}
          known={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {leaving === undefined ? null : <Removal agent={agent} known={leaving} onClose={() => setLeaving(undefined)} />}
    </section>
  )
}

function KnownRow({
  known,
  mayWrite,
  onEdit,
  onRemove,
}: {
  known: Known
  mayWrite: boolean
  onEdit: () => void
  onRemove: () => void
}) {
  const say = useWords('knowledge')
  const { id, kind } = known
  const name = nameOf(known)
  const readAgain = async (): Promise<void> => {
    try {
      await call(KNOWLEDGE, 'read_again', { ids: [id] })
      tellDone(say('readingAgain', { name }))
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <li className={classes.row}>
      <div className={classes.grow}>
        <strong>{name}</strong> <span className="dim">· {useAbout(known)}</span>
        <StateOf known={known} />
      </div>
      {mayWrite ? (
        <div className={classes.actions}>
          {kind === 'page' || kind === 'site' ? (
            <Button variant="subtle" size="compact-sm" aria-label={say('readAgainOf', { name })} onClick={readAgain}>
              {say('readAgain')}
            </Button>
          ) : null}
          <Button variant="subtle" size="compact-sm" aria-label={say('editOf', { name })} onClick={onEdit}>
            {say('edit')}
          </Button>
          <Button variant="subtle" size="compact-sm" aria-label={say('removeOf', { name })} onClick={onRemove}>
            {say('remove')}
          </Button>
        </div>
      ) : null}
    </li>
  )
}

/** Its kind, and how much of it there is. */
function useAbout({ kind, file_bytes: bytes, file_url: file, url, pages, usage }: Known) {
  const say = useWords('knowledge')
  const always = usage === 'prompt' ? ` · ${say('always')}` : ''
  if (kind === 'file' && file !== null) {
    return (
      <>
        <a href={file}>{say('file')}</a>
        {bytes === null ? '' : ` · ${formats.bytes(bytes)}`}
        {always}
      </>
    )
  }
  if (kind === 'site')
    return `${plain(url ?? '')}${pages === null ? '' : ` · ${say('pages', { count: pages })}`}${always}`
  if (kind === 'page') return `${plain(url ?? '')}${always}`
  return `${say('text')}${always}`
}

function StateOf({ known: { synced, sync_error: error, crawl_status: crawl } }: { known: Known }) {
  const say = useWords('knowledge')
  if (error !== null && error !== '') {
    return (
      <div className={classes.problem} role="status">
        {plain(findingOf(error))}
      </div>
    )
  }
  if (synced !== true) return <div className="dim">{say('beingSent')}</div>
  return CRAWLING.includes(crawl ?? '') ? <div className="dim">{say('beingRead')}</div> : null
}

function Removal({ agent, known, onClose }: { agent: number; known: Known; onClose: () => void }) {
  const say = useWords('knowledge')
  const queries = useQueryClient()
  const end = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      tellDone(say('removed', { name: nameOf(known) }))
    } catch (error) {
      tellRefusal(error)
    }
    onClose()
    await queries.invalidateQueries({ queryKey: keysOf(KNOWLEDGE) })
  }
  return (
    <KnowledgeRemoval
      agent={agent}
      known={known}
      onClose={onClose}
      onTakeOff={() => end(() => write(KNOWLEDGE, [known.id], { agents: [[3, agent, 0]] }))}
      onDelete={() => end(() => unlink(KNOWLEDGE, [known.id]))}
    />
  )
}
