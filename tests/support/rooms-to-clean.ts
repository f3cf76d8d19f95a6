/** What still writes or reads a table of another room; the list only gets shorter. */
export const LEFT_TO_CLEAN: readonly string[] = [
  'src/telco/numbers/caller-languages.ts reads connect_voiceai_agent',
  'src/telco/routing/effects.ts writes connect_telco_user_callflow_call',
  'src/telco/routing/load/agent.ts reads connect_voiceai_agent',
  'src/telco/routing/load/callflow.ts reads connect_voiceai_file',
  'src/telco/routing/load/ringing-user.ts reads connect_voiceai_file',
  'src/telco/routing/phone-directory.ts reads connect_voiceai_agent',
  'src/telco/routing/rehearsal/rehearse.ts reads connect_voiceai_agent',
  'src/telco/routing/rehearsal/rehearse.ts reads connect_voiceai_file',
  'src/telco/speech/speech-files.ts reads connect_voiceai_file',
]
