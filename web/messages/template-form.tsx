import { Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, type Row } from '../data/client.ts'
import { unlessChanged, useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { useAnswering } from '../data/present.ts'
import { listQuery } from '../data/queries.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { SendingObstacle } from '../records/sending-obstacle.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { type Party, placeOf } from './conversations.ts'
import classes from './messages.module.css'
import { filled, placeholdersOf } from './template-text.ts'

const TEMPLATES_MAX = 200
const FIELDS = ['friendly_name', 'body', 'variables', 'language'] as const
type Template = Row<'connect.message_content_template', (typeof FIELDS)[number]>

interface Props {
  party: Party
  /** Undefined while nobody has written in it. */
  conversation: number | undefined
}

/** What WhatsApp takes after 24 hours: a template that it has approved, with its words filled in. */
export function TemplateForm({ party, conversation, reason }: Props & { reason: string }) {
  const say = useWords('messages')
  const { data: templates = [], isPending } = useQuery(
    listQuery('connect.message_content_template', {
      domain: [['status', '=', 'approved']],
      fields: FIELDS,
      order: 'friendly_name',
      limit: TEMPLATES_MAX,
    }),
  )
  const [chosen = null, setChosen] = useDraft<string>(placeOf(party, 'template'))
  const template = templates.find(({ id }) => String(id) === chosen)
  return (
    <section className={classes.template} aria-label={say('template')}>
      <p>{reason}</p>
      <SendingObstacle receiver={{ to: party.theirs, from: party.ours, channel: party.channel }} />
      {templates.length === 0 && !isPending ? (
        <p className="dim">{say('noTemplate')}</p>
      ) : (
        <Select
          label={say('template')}
          placeholder={say('chooseTemplate')}
          searchable
          value={chosen}
          onChange={(next) => setChosen(next ?? undefined)}
          data={templates.map(({ id, friendly_name: name, language }) => ({
            value: String(id),
            label: plain(`${name}${language === null ? '' : ` · ${language[1]}`}`),
          }))}
        />
      )}
      {template === undefined ? null : (
        <Filling key={template.id} party={party} conversation={conversation} template={template} />
      )}
    </section>
  )
}

function Filling({ party, conversation, template }: Props & { template: Template }) {
  const say = useWords('messages')
  const queries = useQueryClient()
  const { ours: from, theirs: to } = party
  const body = template.body ?? ''
  const samples = (template.variables ?? {}) as Record<string, unknown>
  const [values = {}, setValues] = useDraft<Record<string, string>>(placeOf(party, `template ${template.id}`))
  const [problem, setProblem] = useProblem('')
  const sayAnswering = useAnswering(conversation)
  const names = placeholdersOf(body)
  const isComplete = names.every((name) => (values[name] ?? '').trim() !== '')
  const send = async (): Promise<void> => {
    try {
      const content = { template_id: template.id, template_variables: values }
      await call('connect.message', 'send', { to, from, message_type: 'WhatsApp', ...content })
      await queries.invalidateQueries({ queryKey: keysOf('connect.message') })
      setValues(unlessChanged(values))
      sayAnswering(false)
      setProblem('')
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Form className={classes.filling} onSubmit={send}>
      {names.map((name) => (
        <TextInput
          key={name}
          label={`{{${name}}}`}
          placeholder={plain(String(samples[name] ?? ''))}
          value={values[name] ?? ''}
          onChange={({ currentTarget: { value } }) => {
            setValues({ ...values, [name]: value })
            sayAnswering(true)
          }}
        />
      ))}
      <blockquote className={classes.preview} aria-label={say('preview')}>
        {plain(filled(body, values))}
      </blockquote>
      {problem === '' ? null : <p className={classes.problem}>{problem}</p>}
      <Button type="submit" disabled={!isComplete}>
        {say('sendTemplate')}
      </Button>
    </Form>
  )
}
