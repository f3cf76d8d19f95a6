import { Group, Textarea } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { oneQuery } from '../data/queries.ts'
import { useFocusAlong } from '../design/focus-along.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { type Conflict, ConflictNotice, conflictOf } from '../records/conflict.tsx'
import { wordedFieldsQuery } from '../records/fields.ts'
import { htmlOf, textOf } from '../records/html-text.ts'
import { PostText } from '../records/post-text.tsx'
import { useTellDiscarded } from '../records/tell-discarded.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './call.module.css'

const MODEL = 'connect.call'

interface SummaryCall {
  id: number
  summary: string | null
  voiceai_summary: string | null
}

/** What is typed, and the version that it was typed on. */
interface SummaryDraft {
  summary: string | null
  stamp: string | null
  text: string
}

/** What a call was about, in the words of a person, else of the agent; who may change it, can. */
export function Summary({ call, mayWrite }: { call: SummaryCall; mayWrite: boolean }) {
  const say = useWords('calls')
  const { id, summary, voiceai_summary: said } = call
  const [draft, setDraft] = useDraft<SummaryDraft>({ model: MODEL, id, field: 'summary' })
  const [isAsked, setAsked] = useState(false)
  const tellDiscarded = useTellDiscarded()
  const close = () => {
    setDraft(undefined)
    setAsked(false)
  }
  const cancel = () => {
    close()
    if (draft !== undefined) tellDiscarded(() => setDraft((now) => now ?? draft))
  }
  const isNone = !summary && !said
  const isOpen = isAsked || draft !== undefined
  const place = useFocusAlong<HTMLDivElement>(isOpen)
  if (isOpen) {
    return (
      <div ref={place}>
        <SummaryForm call={call} draft={draft} onDraft={setDraft} onSaved={close} onCancel={cancel} />
      </div>
    )
  }
  return (
    <div ref={place}>
      {summary === null || summary === '' ? <span data-told>{plain(said ?? '')}</span> : <PostText html={summary} />}{' '}
      {mayWrite ? (
        <Button
          data-along
          variant="subtle"
          size="compact-sm"
          onClick={() => setAsked(true)}
          aria-label={say(isNone ? 'writeSummary' : 'editSummary')}
        >
          {say(isNone ? 'write' : 'edit')}
        </Button>
      ) : null}
    </div>
  )
}

interface FormProps {
  call: SummaryCall
  draft: SummaryDraft | undefined
  onDraft: (change: (now: SummaryDraft | undefined) => SummaryDraft | undefined) => SummaryDraft | undefined
  onSaved: () => void
  onCancel: () => void
}

function SummaryForm({ call, draft, onDraft, onSaved, onCancel }: FormProps) {
  const say = useWords('calls')
  const queries = useQueryClient()
  const { data: fields } = useSuspenseQuery(wordedFieldsQuery(MODEL))
  const one = oneQuery(MODEL, call.id, ['summary', 'write_stamp'])
  const { data: read } = useSuspenseQuery(one)
  // What is typed stands on the version that it was typed on, whatever comes meanwhile.
  const [first] = useState({ summary: read?.summary ?? null, stamp: read?.write_stamp ?? null })
  const { text, ...base } = draft ?? { ...first, text: textOf(first.summary) || plain(call.voiceai_summary ?? '') }
  const [conflict, setConflict] = useState<Conflict>()
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const save = async (stamp: string | null): Promise<void> => {
    const vals = { summary: htmlOf(text) }
    try {
      await callByName(MODEL, 'write', { ids: [call.id], vals, context: { unchanged_since: stamp } })
      await queries.invalidateQueries({ queryKey: keysOf(MODEL, 'one', call.id) })
      tellDone(say('summarySaved'))
      const saved = queries.getQueryData<NonNullable<typeof read>>(one.queryKey)
      // What was typed while it was saved stays, on the version that was saved.
      const left = onDraft((now) =>
        now === undefined || now.text === text
          ? undefined
          : { text: now.text, summary: saved?.summary ?? null, stamp: saved?.write_stamp ?? null },
      )
      if (left === undefined) onSaved()
    } catch (error) {
      const met = await conflictOf(error, { model: MODEL, id: call.id, fields, before: base, mine: vals })
      if (met === undefined) setProblem(sentenceOf(error))
      else if (met.changes.length === 0) await save(met.stamp)
      else setConflict(met)
    }
  }
  const choose = async (taken: readonly string[]): Promise<void> => {
    if (taken.length === 0) return save(conflict?.stamp ?? base.stamp)
    const theirs = String(conflict?.changes[0]?.value ?? '')
    onDraft(() => ({ summary: theirs, stamp: conflict?.stamp ?? null, text: textOf(theirs) }))
    setConflict(undefined)
  }
  return (
    <Form onSubmit={() => save(base.stamp)} className={classes.summary}>
      {conflict === undefined ? null : <ConflictNotice conflict={conflict} onChoose={choose} />}
      <Textarea
        aria-label={say('summary')}
        autosize
        minRows={3}
        maxRows={12}
        data-along
        value={text}
        error={problem}
        onChange={({ currentTarget: { value } }) => onDraft(() => ({ ...base, text: value }))}
      />
      <Group gap={8} mt={8}>
        <Button type="submit" size="compact-sm">
          {say('save')}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onCancel}>
          {say('cancel')}
        </Button>
      </Group>
    </Form>
  )
}
