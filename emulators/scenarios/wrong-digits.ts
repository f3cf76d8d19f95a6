import { type Act, hear, press } from '../people.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550125'
const CALLER = '+14155550225'
/** As many wrong inputs as a call flow takes when nothing else is set. */
const ROUNDS = 3

export const wrongDigits: Scenario = {
  name: 'wrong-digits',
  title: 'Somebody presses wrong digits only, and the menu comes to an end with its own last words',
  company: {
    menus: [
      { name: 'Workshop', extension: '302', voicemail: 'Please leave a message for the workshop.' },
      {
        name: 'Day menu',
        prompt: 'Press 1 for the workshop.',
        choices: [{ digits: '1', leadsTo: 'Workshop' }],
        lastWords: 'We could not understand you. Please write to us. Goodbye!',
      },
    ],
    numbers: [{ number: NUMBER, leadsTo: 'Day menu' }],
  },
  async play({ call }) {
    const wrong: Act[] = Array.from({ length: ROUNDS }, () => [hear('press 1'), press('9')]).flat()
    await call({ from: CALLER, to: NUMBER, acts: [...wrong, hear('please write to us')] })
  },
  expects: [one('connect.call', { caller: CALLER }, { direction: 'incoming', status: 'completed' })],
}
