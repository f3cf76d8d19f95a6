import { answers, hangUp, hear, press, say } from '../people.ts'
import { calls, hears } from '../voiceai/conversation/script.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550129'
const CALLER = '+14155550229'
const MOBILE = '+14155550329'

export const agentMobile: Scenario = {
  name: 'agent-mobile',
  title: 'A voice agent hands a caller over to a mobile, which takes the call with 1',
  company: {
    mobiles: [{ name: 'Ida on call', mobile: MOBILE, extension: '209', isPublished: true }],
    agents: [
      {
        name: 'Night desk',
        greeting: 'Good evening. How can I help?',
        prompt: 'You connect callers with the person who is on call.',
        tools: ['transfer_to_exten'],
        connectsBy: 'sip',
      },
    ],
    numbers: [{ number: NUMBER, leadsTo: 'Night desk' }],
  },
  scripts: () => ({
    'Night desk': {
      summary: 'The caller was connected with Ida.',
      turns: [hears('urgent'), calls('transfer_to_exten', { exten: '209' })],
    },
  }),
  async play({ call, phone }) {
    phone(
      MOBILE,
      answers([
        hear('press 1'),
        press('1'),
        hear('you are connected'),
        say('Ida speaking.'),
        hear('hello ida'),
        hangUp(),
      ]),
    )
    const acts = [hear('good evening'), say('It is urgent.'), hear('ida speaking'), say('Hello Ida!')]
    await call({ from: CALLER, to: NUMBER, acts })
  },
  expects: [
    one(
      'connect.call',
      { caller: CALLER },
      { direction: 'incoming', status: 'completed', outcome: 'agent_person', voiceai_agent: 'Night desk' },
    ),
  ],
}
