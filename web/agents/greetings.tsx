import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { Field } from './agent-field.tsx'
import { languageName, spokenCode } from './agent-languages.ts'
import classes from './agents.module.css'
import { FormerTextsList } from './former-texts-list.tsx'
import type { AgentView } from './use-agent.ts'

const TRANSLATIONS = 'first_message_translations'

/** What the agent says first, in each of the languages it speaks. */
export function Greetings({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const { row, shown, mayWrite } = agent
  const others = useOtherLanguages(shown)
  return (
    <section className={classes.card} aria-label={say('greeting')}>
      <Field agent={agent} name="language" />
      {shown.announces_ai === true ? (
        <p className="dim">{say('saidBefore', { text: plain(String(row.announcement ?? '')) })}</p>
      ) : null}
      <Field agent={agent} name="first_message" />
      {others.map((code) =>
        mayWrite ? (
          <Translation key={code} agent={agent} code={code} />
        ) : (
          <ReadTranslation key={code} agent={agent} code={code} />
        ),
      )}
    </section>
  )
}

interface TranslationProps {
  agent: AgentView
  /** The platform's code of the language. */
  code: string
}

function Translation({ agent, code }: TranslationProps) {
  const say = useWords('agents')
  const label = say('greetingIn', { language: languageName(code) })
  const write = (text: string) => agent.change(TRANSLATIONS, { ...textsOf(agent.shown), [code]: text })
  return (
    <>
      <Textarea
        label={label}
        autosize
        minRows={2}
        value={textsOf(agent.shown)[code] ?? ''}
        error={agent.problems[TRANSLATIONS]}
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
      <FormerTextsList
        agent={agent}
        field={TRANSLATIONS}
        language={code}
        label={label}
        now={textsOf(agent.row)[code] ?? ''}
        onUse={write}
      />
    </>
  )
}

function ReadTranslation({ agent, code }: TranslationProps) {
  const say = useWords('agents')
  return (
    <div>
      <div className={classes.label}>{say('greetingIn', { language: languageName(code) })}</div>
      <p>{textsOf(agent.shown)[code] || '–'}</p>
    </div>
  )
}

function textsOf(values: AgentView['row']): Readonly<Record<string, string>> {
  return (values[TRANSLATIONS] ?? {}) as Readonly<Record<string, string>>
}

/** The platform's codes of the languages that the agent speaks beside its own. */
function useOtherLanguages({ language, additional_languages: ids }: AgentView['shown']): string[] {
  const chosen = Array.isArray(ids) ? ids : []
  const { data: languages = [] } = useQuery(listQuery('res.lang', { fields: ['code'], limit: 500 }))
  const codes = languages.filter(({ id }) => chosen.includes(id)).map(({ code }) => spokenCode(code ?? ''))
  return [...new Set(codes)].filter((code) => code !== language)
}
