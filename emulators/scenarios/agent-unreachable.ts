import { hearSomething } from '../people.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550123'
const CALLER = '+14155550223'
const AGENT = 'Night desk'

export const agentUnreachable: Scenario = {
  name: 'agent-unreachable',
  title: 'The platform no longer has the agent, and the caller hears a sentence instead of silence',
  company: {
    agents: [{ name: AGENT, greeting: 'Hello.', prompt: 'You help at night.', tools: [] }],
    numbers: [{ number: NUMBER, leadsTo: AGENT }],
  },
  async play({ call, voiceai }) {
    const agent = voiceai.workspace.findAgentByName(AGENT)
    voiceai.workspace.agents.delete(agent?.id ?? '')
    await call({ from: CALLER, to: NUMBER, acts: [hearSomething()] })
  },
  expects: [
    one(
      'connect.call',
      { caller: CALLER },
      {
        ...{ direction: 'incoming', voiceai_agent: AGENT, voiceai_conversation_id: null },
        ...{ outcome: 'failed', end_reason: 'agent_not_reached' },
      },
    ),
  ],
  provokes: [/no agent has the number/],
}
