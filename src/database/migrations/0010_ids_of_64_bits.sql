-- Each table once, because each of these statements writes a table anew. The end of an identity column's sequence, which was
-- that of the old type, moves with the type.
ALTER TABLE "res_country"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_lang"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_partner"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "parent_id" SET DATA TYPE bigint,
	ALTER COLUMN "country_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_groups"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_groups_implied_rel"
	ALTER COLUMN "group_id" SET DATA TYPE bigint,
	ALTER COLUMN "implied_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_groups_users_rel"
	ALTER COLUMN "group_id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_users"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "partner_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_users_apikeys"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "res_users_session"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_settings"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "country_id" SET DATA TYPE bigint,
	ALTER COLUMN "voiceai_voice" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_renumbering"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "country_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "mail_message"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "res_id" SET DATA TYPE bigint,
	ALTER COLUMN "author_id" SET DATA TYPE bigint,
	ALTER COLUMN "connect_message" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "resource_calendar"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "resource_calendar_attendance"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "calendar_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "calendar_event"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint,
	ALTER COLUMN "made_in_call" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "calendar_event_res_partner_rel"
	ALTER COLUMN "event_id" SET DATA TYPE bigint,
	ALTER COLUMN "partner_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "helpdesk_team"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "helpdesk_team_member_rel"
	ALTER COLUMN "team_id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "helpdesk_stage_team_rel"
	ALTER COLUMN "team_id" SET DATA TYPE bigint,
	ALTER COLUMN "stage_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "helpdesk_stage"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "helpdesk_ticket"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "team_id" SET DATA TYPE bigint,
	ALTER COLUMN "stage_id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint,
	ALTER COLUMN "partner_id" SET DATA TYPE bigint,
	ALTER COLUMN "made_in_call" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_call"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "partner" SET DATA TYPE bigint,
	ALTER COLUMN "caller_pbx_user" SET DATA TYPE bigint,
	ALTER COLUMN "answered_pbx_user" SET DATA TYPE bigint,
	ALTER COLUMN "caller_user" SET DATA TYPE bigint,
	ALTER COLUMN "answered_user" SET DATA TYPE bigint,
	ALTER COLUMN "parent_call" SET DATA TYPE bigint,
	ALTER COLUMN "register_note" SET DATA TYPE bigint,
	ALTER COLUMN "missed_note" SET DATA TYPE bigint,
	ALTER COLUMN "voiceai_agent" SET DATA TYPE bigint,
	ALTER COLUMN "ticket" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_call_called_pbx_users_rel"
	ALTER COLUMN "call_id" SET DATA TYPE bigint,
	ALTER COLUMN "pbx_user_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_call_called_users_rel"
	ALTER COLUMN "call_id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_channel"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "parent_channel" SET DATA TYPE bigint,
	ALTER COLUMN "call" SET DATA TYPE bigint,
	ALTER COLUMN "partner" SET DATA TYPE bigint,
	ALTER COLUMN "caller_pbx_user" SET DATA TYPE bigint,
	ALTER COLUMN "called_pbx_user" SET DATA TYPE bigint,
	ALTER COLUMN "caller_user" SET DATA TYPE bigint,
	ALTER COLUMN "called_user" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_recording"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "call" SET DATA TYPE bigint,
	ALTER COLUMN "channel" SET DATA TYPE bigint,
	ALTER COLUMN "partner" SET DATA TYPE bigint,
	ALTER COLUMN "caller_user" SET DATA TYPE bigint,
	ALTER COLUMN "called_user" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voicemail"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_media_removal"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_message"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "sender_user" SET DATA TYPE bigint,
	ALTER COLUMN "partner" SET DATA TYPE bigint,
	ALTER COLUMN "res_id" SET DATA TYPE bigint,
	ALTER COLUMN "parent_message" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_delivery"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "call_ref" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_inbox"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_tool_answer"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_lease"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_sync_run"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_seed"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "voice" SET DATA TYPE bigint,
	ALTER COLUMN "active_prompt_version" SET DATA TYPE bigint,
	ALTER COLUMN "template" SET DATA TYPE bigint,
	ALTER COLUMN "fallback_exten" SET DATA TYPE bigint,
	ALTER COLUMN "exten" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_additional_languages_rel"
	ALTER COLUMN "agent_id" SET DATA TYPE bigint,
	ALTER COLUMN "lang_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_tools_rel"
	ALTER COLUMN "agent_id" SET DATA TYPE bigint,
	ALTER COLUMN "tool_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_prompt"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "agent" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_transfer"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "agent" SET DATA TYPE bigint,
	ALTER COLUMN "transfer_to_agent" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_template"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_tool"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_agent_tool_params"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "tool" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_voice"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_file"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_user"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user" SET DATA TYPE bigint,
	ALTER COLUMN "domain" SET DATA TYPE bigint,
	ALTER COLUMN "telco_exten" SET DATA TYPE bigint,
	ALTER COLUMN "telco_outgoing_callerid" SET DATA TYPE bigint,
	ALTER COLUMN "application" SET DATA TYPE bigint,
	ALTER COLUMN "whatsapp_sender_id" SET DATA TYPE bigint,
	ALTER COLUMN "voicemail_prompt_file" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_favorite"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user" SET DATA TYPE bigint,
	ALTER COLUMN "partner" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_debug"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_exten"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "res_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_callflow"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "exten" SET DATA TYPE bigint,
	ALTER COLUMN "fallback_exten" SET DATA TYPE bigint,
	ALTER COLUMN "prompt_message_file" SET DATA TYPE bigint,
	ALTER COLUMN "invalid_input_message_file" SET DATA TYPE bigint,
	ALTER COLUMN "voicemail_prompt_file" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_callflow_ring_users_rel"
	ALTER COLUMN "callflow_id" SET DATA TYPE bigint,
	ALTER COLUMN "user_id" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_callflow_choice"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "callflow" SET DATA TYPE bigint,
	ALTER COLUMN "exten" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_business_hours"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_opening"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "business_hours" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_holiday"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "business_hours" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_number"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user" SET DATA TYPE bigint,
	ALTER COLUMN "callflow" SET DATA TYPE bigint,
	ALTER COLUMN "markup" SET DATA TYPE bigint,
	ALTER COLUMN "voiceai_agent" SET DATA TYPE bigint,
	ALTER COLUMN "fallback_exten" SET DATA TYPE bigint,
	ALTER COLUMN "business_hours" SET DATA TYPE bigint,
	ALTER COLUMN "closed_exten" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_outgoing_callerid"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_user_callflow"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "user" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_user_callflow_call"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "call" SET DATA TYPE bigint,
	ALTER COLUMN "callflow" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_message_configuration"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "number" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_markup"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "exten" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_telco_domain"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "application" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_whatsapp_sender"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "voice_application" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
--> statement-breakpoint
ALTER TABLE "connect_message_content_template"
	ALTER COLUMN "id" SET DATA TYPE bigint,
	ALTER COLUMN "language" SET DATA TYPE bigint,
	ALTER COLUMN "sender_id" SET DATA TYPE bigint,
	ALTER COLUMN "create_uid" SET DATA TYPE bigint;
