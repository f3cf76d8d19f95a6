import { FieldInput } from '../records/field-input.tsx'
import { FormerTextsList } from './former-texts-list.tsx'
import type { AgentView } from './use-agent.ts'

/** What callers hear. The prompt, which they do not, has versions. */
const SPOKEN = ['first_message', 'fallback_message']

/** A field of the agent as the generated form shows it. */
export function Field({ agent, name }: { agent: AgentView; name: string }) {
  const field = agent.fields[name]
  if (field === undefined) return null
  return (
    <>
      <FieldInput
        field={field}
        value={agent.shown[name]}
        isWritable={agent.mayWrite}
        problem={agent.problems[name]}
        record={agent.shown}
        onChange={(value) => agent.change(name, value)}
      />
      {SPOKEN.includes(name) ? (
        <FormerTextsList
          agent={agent}
          field={name}
          label={field.string}
          now={String(agent.row[name] ?? '')}
          onUse={(text) => agent.change(name, text)}
        />
      ) : null}
    </>
  )
}
