import { Modal, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { create, write } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { ApiError, sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { oneQuery } from '../data/queries.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import classes from './knowledge.module.css'
import { KNOWLEDGE, type Known, nameOf } from './knowledge-rows.ts'
import { type Draft, type Kind, PAGES, SourceFields } from './knowledge-source.tsx'

/** Adds something that an agent is to know, or changes it. */
export function KnowledgeDialog({
  agent,
  known,
  onClose,
}: {
  agent: number
  known: Known | undefined
  onClose: () => void
}) {
  const say = useWords('knowledge')
  const queries = useQueryClient()
  const [typed, setTyped] = useDraft<Partial<Draft>>({
    model: KNOWLEDGE,
    id: known?.id ?? `new of agent ${agent}`,
    field: 'form',
  })
  const [problem, setProblem] = useProblem<{ field: string | undefined; says: string } | undefined>(undefined)
  const { data: stored } = useQuery({ ...oneQuery(KNOWLEDGE, known?.id ?? 0, ['text']), enabled: known !== undefined })
  const draft: Draft = { ...begunWith(known, stored?.text ?? ''), ...typed }
  const change = (values: Partial<Draft>): void => void setTyped((before) => ({ ...before, ...values }))
  const save = async (): Promise<void> => {
    try {
      const values = valuesOf(draft)
      if (known === undefined) await create(KNOWLEDGE, { ...values, agents: [[6, 0, [agent]]] })
      else await write(KNOWLEDGE, [known.id], values)
      setTyped(undefined)
      await queries.invalidateQueries({ queryKey: keysOf(KNOWLEDGE) })
      tellDone(say(known === undefined ? 'added' : 'saved'))
      onClose()
    } catch (error) {
      const [first] = error instanceof ApiError ? error.problems : []
      setProblem({ field: first?.field ?? undefined, says: first?.message ?? sentenceOf(error) })
    }
  }
  const errorOf = (field: string) => (problem?.field === field ? problem.says : undefined)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={known === undefined ? say('addTitle') : say('editTitle', { name: nameOf(known) })}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <Form onSubmit={save} className={classes.form}>
        {known === undefined ? (
          <SegmentedControl
            aria-label={say('kind')}
            data={(['text', 'file', 'page', 'site'] as const).map((value) => ({ value, label: say(value) }))}
            value={draft.kind}
            onChange={(value) => change({ kind: value as Kind })}
          />
        ) : null}
        <SourceFields draft={draft} change={change} errorOf={errorOf} />
        <TextInput
          label={say('name')}
          placeholder={say('nameHint')}
          value={draft.name}
          error={errorOf('name')}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        <Switch
          label={say('alwaysLabel')}
          description={say('alwaysSays')}
          checked={draft.isAlways}
          onChange={({ currentTarget: { checked } }) => change({ isAlways: checked })}
        />
        {problem !== undefined && !isShown(problem.field, draft.kind) ? (
          <p role="alert" className={classes.problem}>
            {problem.says}
          </p>
        ) : null}
        <div className={classes.actions}>
          <Button type="submit" disabled={!isReady(draft)}>
            {say(known === undefined ? 'add' : 'save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {say('cancel')}
          </Button>
        </div>
      </Form>
    </Modal>
  )
}

function begunWith(known: Known | undefined, text: string): Draft {
  const { kind, name, url, pages_max: pages, file, file_name: fileName, usage } = known ?? {}
  return {
    kind: kind ?? 'text',
    name: name ?? '',
    text,
    url: url ?? '',
    pages: pages ?? PAGES.default,
    file: typeof file === 'number' ? { id: file, name: fileName ?? '' } : undefined,
    // A text of a few lines is in mind.
    isAlways: known === undefined || usage === 'prompt',
  }
}

function valuesOf({ kind, name, text, url, pages, file, isAlways }: Draft): Record<string, unknown> {
  const named = name.trim() === '' ? {} : { name: name.trim() }
  const common = { kind, ...named, usage: isAlways ? 'prompt' : 'auto' }
  switch (kind) {
    case 'text':
      return { ...common, text }
    case 'file':
      return { ...common, file: file?.id }
    case 'page':
      return { ...common, url: asAddress(url) }
    case 'site':
      return { ...common, url: asAddress(url), pages_max: pages }
  }
}

/** People leave out the scheme. */
function asAddress(typed: string): string {
  const url = typed.trim()
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`
}

function isReady({ kind, text, url, file }: Draft): boolean {
  if (kind === 'text') return text.trim() !== ''
  return kind === 'file' ? file !== undefined : url.trim() !== ''
}

/** Whether a refusal stands beside a field of this kind. */
function isShown(field: string | undefined, kind: Kind): boolean {
  const shown = { text: ['text'], file: ['file'], page: ['url'], site: ['url', 'pages_max'] }[kind]
  return field === 'name' || shown.includes(field ?? '')
}
