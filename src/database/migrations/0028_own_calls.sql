DROP INDEX "res_groups_implied_rel_implied_id_index";
--> statement-breakpoint
DROP INDEX "res_groups_users_rel_user_id_index";
--> statement-breakpoint
DROP INDEX "calendar_event_res_partner_rel_partner_id_index";
--> statement-breakpoint
DROP INDEX "helpdesk_team_member_rel_user_id_index";
--> statement-breakpoint
DROP INDEX "helpdesk_stage_team_rel_stage_id_index";
--> statement-breakpoint
DROP INDEX "connect_call_caller_user_index";
--> statement-breakpoint
DROP INDEX "connect_call_answered_user_index";
--> statement-breakpoint
DROP INDEX "connect_call_called_pbx_users_rel_pbx_user_id_index";
--> statement-breakpoint
DROP INDEX "connect_call_called_users_rel_user_id_index";
--> statement-breakpoint
DROP INDEX "connect_voiceai_agent_additional_languages_rel_lang_id_index";
--> statement-breakpoint
DROP INDEX "connect_voiceai_agent_tools_rel_tool_id_index";
--> statement-breakpoint
DROP INDEX "connect_voiceai_agent_template_tools_rel_tool_id_index";
--> statement-breakpoint
DROP INDEX "connect_telco_callflow_ring_users_rel_user_id_index";
--> statement-breakpoint
CREATE INDEX "res_groups_implied_rel_implied_id_group_id_index" ON "res_groups_implied_rel" USING btree ("implied_id","group_id");
--> statement-breakpoint
CREATE INDEX "res_groups_users_rel_user_id_group_id_index" ON "res_groups_users_rel" USING btree ("user_id","group_id");
--> statement-breakpoint
CREATE INDEX "calendar_event_res_partner_rel_partner_id_event_id_index" ON "calendar_event_res_partner_rel" USING btree ("partner_id","event_id");
--> statement-breakpoint
CREATE INDEX "helpdesk_team_member_rel_user_id_team_id_index" ON "helpdesk_team_member_rel" USING btree ("user_id","team_id");
--> statement-breakpoint
CREATE INDEX "helpdesk_stage_team_rel_stage_id_team_id_index" ON "helpdesk_stage_team_rel" USING btree ("stage_id","team_id");
--> statement-breakpoint
CREATE INDEX "connect_call_caller_user_id_index" ON "connect_call" USING btree ("caller_user","id") WHERE caller_user is not null;
--> statement-breakpoint
CREATE INDEX "connect_call_answered_user_id_index" ON "connect_call" USING btree ("answered_user","id") WHERE answered_user is not null;
--> statement-breakpoint
CREATE INDEX "connect_call_called_pbx_users_rel_pbx_user_id_call_id_index" ON "connect_call_called_pbx_users_rel" USING btree ("pbx_user_id","call_id");
--> statement-breakpoint
CREATE INDEX "connect_call_called_users_rel_user_id_call_id_index" ON "connect_call_called_users_rel" USING btree ("user_id","call_id");
--> statement-breakpoint
CREATE INDEX "connect_voiceai_agent_addition__ges_rel_lang_id_agent_id_index" ON "connect_voiceai_agent_additional_languages_rel" USING btree ("lang_id","agent_id");
--> statement-breakpoint
CREATE INDEX "connect_voiceai_agent_tools_rel_tool_id_agent_id_index" ON "connect_voiceai_agent_tools_rel" USING btree ("tool_id","agent_id");
--> statement-breakpoint
CREATE INDEX "connect_voiceai_agent_template___rel_tool_id_template_id_index" ON "connect_voiceai_agent_template_tools_rel" USING btree ("tool_id","template_id");
--> statement-breakpoint
CREATE INDEX "connect_telco_callflow_ring_users_rel_user_id_callflow_id_index" ON "connect_telco_callflow_ring_users_rel" USING btree ("user_id","callflow_id");