import { FieldInput } from '../records/field-input.tsx'
import type { AgentView } from './use-agent.ts'

/** A field of the agent as the generated form shows it. */
export function Field({ agent, name }: { agent: AgentView; name: string }) {
  const field = agent.fields[name]
  if (field === undefined) return null
  return (
    <FieldInput
      field={field}
      value={agent.shown[name]}
      isWritable={agent.mayWrite}
      problem={agent.problems[name]}
      record={agent.shown}
      onChange={(value) => agent.change(name, value)}
    />
  )
}
