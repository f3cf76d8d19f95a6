/** Tools that the voice-agent platform itself carries out. */
export const SYSTEM_TOOLS: readonly { name: string; description: string; disableInterruptions?: boolean }[] = [
  {
    name: 'language_detection',
    description:
      'Switches to the language the caller speaks. Use it when the caller speaks or asks for another supported ' +
      'language. Do not switch for a single foreign word or name.',
  },
  {
    name: 'end_call',
    disableInterruptions: true,
    description:
      'Ends the call. Use it after the caller said goodbye or confirmed that nothing else is needed. ' +
      'Do not use it while a question is open.',
  },
  {
    name: 'skip_turn',
    description:
      'Stays silent until the caller speaks. Use it when the caller asks for a moment. Do not use it to avoid an answer.',
  },
  {
    name: 'play_keypad_touch_tone',
    description:
      'Plays keypad tones. Use it when an automatic menu asks for a key. Do not use it with a person on the line.',
  },
  {
    name: 'voicemail_detection',
    description:
      'Reports that an answering machine picked up. Use it when you hear a recorded greeting or a beep. Do not use it with a person.',
  },
  {
    name: 'transfer_to_agent',
    disableInterruptions: true,
    description:
      'Hands the conversation to another voice agent. Use it when its rule fits what the caller needs. ' +
      'Do not use it to reach a person.',
  },
]
