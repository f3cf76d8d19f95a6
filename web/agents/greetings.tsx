import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { Field } from './agent-field.tsx'
import { languageName, spokenCode } from './agent-languages.ts'
import classes from './agents.module.css'
import type { AgentView } from './use-agent.ts'

const TRANSLATIONS = 'first_message_translations'

/** What the agent says first, in each of the languages it speaks. */
export function Greetings({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const { row, shown, mayWrite, problems, change } = agent
  const translations = (shown[TRANSLATIONS] ?? {}) as Readonly<Record<string, string>>
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
          <Textarea
            key={code}
            label={say('greetingIn', { language: languageName(code) })}
            autosize
            minRows={2}
            value={translations[code] ?? ''}
            error={problems[TRANSLATIONS]}
            onChange={({ currentTarget }) => change(TRANSLATIONS, { ...translations, [code]: currentTarget.value })}
          />
        ) : (
          <div key={code}>
            <div className={classes.label}>{say('greetingIn', { language: languageName(code) })}</div>
            <p>{translations[code] || '–'}</p>
          </div>
        ),
      )}
    </section>
  )
}

/** The platform's codes of the languages that the agent speaks beside its own. */
function useOtherLanguages({ language, additional_languages: ids }: AgentView['shown']): string[] {
  const chosen = Array.isArray(ids) ? ids : []
  const { data: languages = [] } = useQuery(listQuery('res.lang', { fields: ['code'], limit: 500 }))
  const codes = languages.filter(({ id }) => chosen.includes(id)).map(({ code }) => spokenCode(code ?? ''))
  return [...new Set(codes)].filter((code) => code !== language)
}
