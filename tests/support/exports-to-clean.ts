/** What only tests, or nobody, import; the list only gets shorter. */
export const LEFT_TO_CLEAN: readonly string[] = [
  'src/database/micro-batch.ts: BATCH_ROWS_MAX',
  'src/database/server/api-share.ts: apiConnections',
  'src/deliveries/inbox/failed-attempt.ts: ATTEMPTS_MAX',
  'src/deliveries/log/rejection-budget.ts: REJECTED_BYTES_PER_DAY_MAX',
  'src/deliveries/log/rejection-budget.ts: REJECTED_PER_MINUTE_MAX',
  'src/deliveries/webhooks/deadline.ts: DeadlineError',
  'src/platform/chatter/chatter.ts: textToHtml',
  'src/platform/identity/sign-in.ts: ATTEMPTS_MAX',
  'src/platform/records/clean-html.ts: cleanHtml',
]
