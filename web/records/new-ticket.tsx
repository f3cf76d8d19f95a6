import { Group, Modal, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { unlessChanged, useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import type { Link } from '../data/models.gen.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import { LinkPicker } from './link-picker.tsx'

const SUBJECT_CHARS_MAX = 1_000

/** What is typed of a ticket that is not there yet. */
interface Draft {
  name: string
  description: string
  partner: Link | null
  team: Link | null
}

interface Props {
  /** What names the place that it is begun from, so that what was typed comes back there only. */
  place: string | number
  title?: string
  /** What is known where it is begun: its stage, its team, whose it is, and the call that it is about. */
  stage?: number | undefined
  team?: Link | null | undefined
  partner?: Link | null | undefined
  call?: number | undefined
  onClose: () => void
  onMade: (id: number) => unknown
}

/** The form of a new ticket, which there is none of before it has a subject: the same wherever one makes one. */
export function NewTicket({ place, title, stage, team = null, partner = null, call, onClose, onMade }: Props) {
  const say = useWords('records')
  const queries = useQueryClient()
  const [typed, setTyped] = useDraft<Draft>({ model: 'helpdesk.ticket', id: place, field: 'new' })
  const draft = typed ?? { name: '', description: '', partner, team }
  const [problem, setProblem] = useProblem('')
  const type = (part: Partial<Draft>) => setTyped({ ...draft, ...part })
  const save = async (): Promise<void> => {
    if (draft.name.trim() === '') return
    try {
      const made = (await callByName('helpdesk.ticket', 'create', {
        vals_list: valuesOf(draft, { stage, team }),
        ...(call === undefined ? {} : { context: { connect_call_id: call } }),
      })) as number
      setTyped(typed === undefined ? undefined : unlessChanged(typed))
      await queries.invalidateQueries({ queryKey: keysOf('helpdesk.ticket') })
      if (call !== undefined) await queries.invalidateQueries({ queryKey: keysOf('connect.call') })
      await onMade(made)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Modal opened onClose={onClose} title={title ?? say('newTicket')} withCloseButton={false}>
      <Form onSubmit={save}>
        <TextInput
          data-autofocus
          label={say('ticketSubject')}
          maxLength={SUBJECT_CHARS_MAX}
          value={draft.name}
          error={problem || undefined}
          onChange={({ currentTarget: { value } }) => type({ name: value })}
        />
        <Textarea
          label={say('ticketWords')}
          mt={8}
          autosize
          minRows={3}
          maxRows={12}
          value={draft.description}
          onChange={({ currentTarget: { value } }) => type({ description: value })}
        />
        <Group mt={8} gap={12} grow>
          <LinkPicker
            label={say('ticketCustomer')}
            model="res.partner"
            value={draft.partner}
            onChange={(value) => type({ partner: linkOf(value) })}
          />
          <LinkPicker
            label={say('ticketTeam')}
            model="helpdesk.team"
            value={draft.team}
            onChange={(value) => type({ team: linkOf(value) })}
          />
        </Group>
        <Group mt={16} gap={8}>
          <Button type="submit" disabled={draft.name.trim() === ''}>
            {say('createTicket')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}

/** A stage belongs to a team: that of the column counts while the team is the column's. */
function valuesOf(draft: Draft, { stage, team }: Pick<Props, 'stage' | 'team'>): Record<string, unknown> {
  const isOfStage = stage !== undefined && draft.team?.[0] === team?.[0]
  return {
    name: draft.name,
    ...(draft.description.trim() === '' ? {} : { description: draft.description }),
    ...(draft.partner === null ? {} : { partner_id: draft.partner[0] }),
    ...(draft.team === null ? {} : { team_id: draft.team[0] }),
    ...(isOfStage ? { stage_id: stage } : {}),
  }
}

function linkOf(value: unknown): Link | null {
  return Array.isArray(value) ? (value as unknown as Link) : null
}
